// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/fixed_point.h"
#include "core/vec3.h"

namespace mdsim {

/// One per term of the energy; names as in `mdsim energy --json`.
enum class Term : int {
    bond,
    angle,
    urey_bradley,
    proper_dihedral,
    improper_periodic,
    improper_harmonic,
    ryckaert_bellemans,
    cmap,
    lj_14,
    coulomb_14,
    lj_sr,
    dispersion_correction,
    coulomb_real,
    coulomb_recip,
    coulomb_self,
    coulomb_exclusion,
    coulomb_net_charge_background,
    restraint,
    count
};
inline constexpr std::size_t term_count = static_cast<std::size_t>(Term::count);

constexpr std::string_view name_of(Term term) {
    constexpr std::array<std::string_view, term_count> names{"bond",
                                                             "angle",
                                                             "urey_bradley",
                                                             "proper_dihedral",
                                                             "improper_periodic",
                                                             "improper_harmonic",
                                                             "ryckaert_bellemans",
                                                             "cmap",
                                                             "lj_14",
                                                             "coulomb_14",
                                                             "lj_sr",
                                                             "dispersion_correction",
                                                             "coulomb_real",
                                                             "coulomb_recip",
                                                             "coulomb_self",
                                                             "coulomb_exclusion",
                                                             "coulomb_net_charge_background",
                                                             "restraint"};
    return names[static_cast<std::size_t>(term)];
}

/// Energies of one evaluation and its virial, summed as integers.
class EnergySums {
  public:
    fixed::EnergySum& operator[](Term term) { return sums_[static_cast<std::size_t>(term)]; }
    const fixed::EnergySum& operator[](Term term) const { return sums_[static_cast<std::size_t>(term)]; }

    /// Adds to W_ab = sum f_a d_b [kJ/mol], where f acts on the atom at the end of d (for a pair: f on i, d = x_i -
    /// x_j). The pressure is (2 KE + W)_ab / V.
    void add_virial(const Vec3d& f, const Vec3d& d) {
        for (int a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) virial(a, b).add(f[a] * d[b]);
        }
    }
    fixed::EnergySum& virial(int a, int b) { return sums_[term_count + static_cast<std::size_t>(3 * a + b)]; }
    Mat3d virial() const;
    /// Force along a [2^-32 kJ/mol/nm] times lattice coordinate b [2^-32 of a box vector], summed over pairs. Is made
    /// a virial once it is summed over all threads and ranks (`resolve_pair_virial`).
    fixed::EnergySum& pair_virial(int a, int b) { return sums_[term_count + 9 + static_cast<std::size_t>(3 * a + b)]; }

    void add(const EnergySums& other);
    /// Sum of all terms [kJ/mol].
    double potential() const;
    /// Says that a force or an energy was larger than the integers take and was held at their limit.
    void note_clipped() { sums_[notes].note_out_of_range(); }
    /// Energies, virial or forces of this evaluation are not the true ones: atoms lie on top of each other.
    bool out_of_range() const;
    /// Says that a pair is too strong for single precision: forces and energies of this evaluation are useless, and it
    /// is to be repeated with StepPlan::overlaps.
    void note_strong_pair() { sums_[strong].note_out_of_range(); }
    bool strong_pair() const { return sums_[strong].out_of_range(); }
    /// All of it, for sums over ranks.
    std::span<fixed::EnergySum> parts() { return sums_; }

  private:
    static constexpr std::size_t notes = term_count + 18, strong = notes + 1;
    std::array<fixed::EnergySum, strong + 1> sums_{};  // terms, virial, virial of pairs, notes
};

}  // namespace mdsim
