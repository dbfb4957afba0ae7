// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "forces/force_term.h"
#include "forces/mesh/charge_grid.h"
#include "forces/mesh/influence.h"
#include "forces/mesh/pme_parameters.h"
#include "forces/mesh/prolate/esp_parameters.h"
#include "forces/mesh/transform/fft3d.h"

namespace mdsim::mesh {

/// How the smooth part of the electrostatics is computed: smooth PME is a Gaussian split with a B-spline window, Ewald
/// summation with prolates (ESP) a split and a window of prolates.
struct MeshSettings {
    std::array<int, 3> mesh{};  ///< points along each box vector, at least 8
    Window window;
    Split split;
    double coulomb_constant = 0.0;  ///< [kJ nm/mol/e^2]
};

MeshSettings pme_settings(const PmeParameters& parameters, double coulomb_constant);
MeshSettings esp_settings(const EspParameters& parameters, double cutoff, double coulomb_constant);

/// Whether an evaluation needs the sums over wave vectors.
inline bool wants_wave_sums(const StepPlan& plan) {
    return plan.energies == Need::yes || plan.virial == Need::yes;
}
/// Adds energy and virial, summed by each thread.
void add_wave_sums(std::span<const WaveSums> sums, ForceSink& sink);
/// Adds the forces on the atoms of a grid that holds the potential.
template <class Real>
void add_mesh_forces(ChargeGrid<Real>& grid, const Box& box, const std::array<int, 3>& mesh, ForceSink& sink);
/// Says that positions make no sense (MD501).
[[noreturn]] void throw_overloaded();

/// The sum over wave vectors k != 0 of an Ewald sum, by the smooth particle mesh Ewald method (Essmann et al.,
/// J. Chem. Phys. 103 (1995) 8577), or with any other split and window. Energy under Term::coulomb_recip; self energy,
/// excluded pairs and the background of a net charge belong to other terms. Real: float in mixed precision, double
/// otherwise.
///
/// The steps: spread charges over the mesh; transform along x, y, z; multiply by the influence function; transform
/// back; gather the gradient at the atoms. Every charge addend, every energy of a wave vector and every force is
/// rounded once by itself, so the bits do not depend on threads or on the order of atoms.
template <class Real>
class MeshTerm final : public HostTerm {
  public:
    /// charges: [e], of all atoms, until assign.
    MeshTerm(const MeshSettings& settings, std::span<const double> charges);

    void assign(const LocalSystem& system) override { grid_.set_charges(system.parameters.charge); }
    Part part() const override { return Part::mesh; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

  private:
    MeshSettings settings_;
    ChargeGrid<Real> grid_;
    Fft3d<Real> fft_;
    Influence<Real> influence_;
    std::vector<WaveSums> sums_;  // one per thread

    void solve(bool with_energy);
};

extern template class MeshTerm<float>;
extern template class MeshTerm<double>;

}  // namespace mdsim::mesh
