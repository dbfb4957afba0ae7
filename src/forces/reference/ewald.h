// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "forces/force_term.h"
#include "system/nonbonded.h"

namespace mdsim {

namespace ewald {

/// Atoms that go through the inner loops together, so that these vectorise.
inline constexpr std::size_t lanes = 16;
using Lanes = std::array<double, lanes>;
struct ComplexLanes {
    Lanes re, im;
};

}  // namespace ewald

struct EwaldSettings {
    double beta = 0.0;  ///< splitting [1/nm]
    /// Wave vectors with |k|^2 up to this are summed [nm^-2]; 0: all with exp(-k^2/(4 beta^2)) > 1e-13.
    double largest_k2 = 0.0;
};

/// The reciprocal part of Ewald's sum, term by term (Allen and Tildesley, Computer Simulation of Liquids, 2nd ed., eq.
/// 6.4; virial: Nose and Klein, Mol. Phys. 50 (1983) 1055):
/// E = 2 pi/V sum over k != 0 of exp(-k^2/(4 beta^2))/k^2 |S(k)|^2, S(k) = sum q exp(i k.x).
/// Energy: coulomb_recip. Any cell; nothing in vacuum. Structure factors are sums over atoms in their order, one thread
/// a row of wave vectors, forces sums over wave vectors, one thread an atom: the bits do not depend on the number
/// of threads. Those of several ranks would, so one rank has all atoms (needs_one_rank).
class EwaldReciprocal final : public HostTerm {
  public:
    /// scaled_charges [(kJ nm/mol)^(1/2)], extent: atoms.
    EwaldReciprocal(std::vector<double> scaled_charges, const EwaldSettings& settings);

    Part part() const override { return Part::mesh; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

  private:
    /// Wave vectors (n, y, z), -x <= n <= x, of one half space, that differ in n only.
    struct Row {
        int y, z, x;
        std::size_t first;  ///< of n = -x, into the factors
    };
    /// exp(2 pi i n s) of every atom for n = 0 .. largest, as real and imaginary parts.
    struct Phases {
        std::vector<std::vector<double>> re, im;
    };

    /// Of one vector of atoms in one row: exp(i k.x) of n = 0 and the step from n to n + 1.
    struct RowPhases {
        ewald::ComplexLanes start, step;
    };

    void make_rows(const Box& box);
    void make_phases(const Evaluation& evaluation);
    void make_factors(const Row& row);
    void weigh_factors(const Evaluation& evaluation, const Row& row, EnergySums& sums);
    void add_forces(ForceSink::Slot& slot, std::size_t begin, std::size_t end) const;
    RowPhases row_phases(const Row& row, std::size_t i) const;
    Vec3d wave_vector(int x, int y, int z) const;

    std::vector<double> charges_;
    EwaldSettings settings_;
    double volume_ = 0.0;
    Mat3d reciprocal_{};  ///< rows a*, b*, c* times 2 pi [1/nm]
    Vec3<int> largest_{};
    std::vector<Row> rows_;
    Phases phases_[3];
    std::vector<std::complex<double>> factors_;  ///< S(k), then S(k) times its weight in the force
};

/// Whether a form of electrostatics is computed by one rank with all atoms at home, however many there are.
constexpr bool needs_one_rank(const NonbondedSettings& settings) {
    return settings.electrostatics == Electrostatics::ewald;
}

}  // namespace mdsim
