// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "pairs/pair_lists.h"
#include "physics/pair_formulas.h"
#include "system/nonbonded.h"

namespace mdsim {

/// Constants of the Lennard-Jones form that the settings ask for. Without a cutoff (Electrostatics::none): plain.
physics::LjTail<double> make_lj_tail(const NonbondedSettings& settings);
/// Constants of the direct part of Coulomb.
physics::CoulombTail<double> make_coulomb_tail(const NonbondedSettings& settings);
/// The same, and with a Gaussian split the polynomials that single-precision kernels use where they are good enough.
physics::CoulombTail<double> make_kernel_coulomb_tail(const NonbondedSettings& settings);

/// False where all pairs count (Electrostatics::none).
bool has_cutoff(const NonbondedSettings& settings);
/// Plain without a cutoff.
LennardJones lj_form(const NonbondedSettings& settings);
/// [nm^2]; 1e30 without a cutoff.
double squared_cutoff(const NonbondedSettings& settings);
/// `lists` with the cutoff of the settings.
PairListSettings with_cutoff(PairListSettings lists, const NonbondedSettings& settings);
/// Throws an input error (MD455) where the splitting is too large for single-precision kernels.
void require_splitting_for_mixed(const NonbondedSettings& settings);

/// Charges times the root of the Coulomb constant [(kJ nm/mol)^(1/2)], so that a product is an energy times a length
/// and the same for (i, j) and (j, i).
std::vector<double> scaled_charges(std::span<const double> charges, const NonbondedSettings& settings);

/// Calls f with the formula of the settings for numbers of Ops: f(physics::LjPlain<Ops>{}) and so on.
template <class Ops, class F>
void with_lj_formula(const NonbondedSettings& settings, F&& f) {
    if (settings.electrostatics == Electrostatics::none) return f(physics::LjPlain<Ops>{});
    switch (settings.lennard_jones) {
        case LennardJones::cut:
        case LennardJones::shift:
            return f(physics::LjPlain<Ops>{});
        case LennardJones::potential_switch:
            return f(physics::LjPotentialSwitch<Ops>{});
        case LennardJones::force_switch:
            return f(physics::LjForceSwitch<Ops>{});
        case LennardJones::charmm_force_switch:
            return f(physics::LjCharmmForceSwitch<Ops>{});
    }
}

}  // namespace mdsim
