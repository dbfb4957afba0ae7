// SPDX-License-Identifier: Apache-2.0
#include "forces/pair_settings.h"

#include <cmath>

namespace mdsim {

physics::LjTail<double> make_lj_tail(const NonbondedSettings& s) {
    if (s.electrostatics == Electrostatics::none) return physics::lj_tail_cut();
    switch (s.lennard_jones) {
        case LennardJones::cut:
            return physics::lj_tail_cut();
        case LennardJones::shift:
            return physics::lj_tail_shift(s.cutoff);
        case LennardJones::potential_switch:
            return physics::lj_tail_potential_switch(s.cutoff, s.switch_from);
        case LennardJones::force_switch:
            return physics::lj_tail_force_switch(s.cutoff, s.switch_from);
        case LennardJones::charmm_force_switch:
            return physics::lj_tail_charmm_force_switch(s.cutoff, s.switch_from);
    }
    return {};
}

physics::CoulombTail<double> make_coulomb_tail(const NonbondedSettings& s) {
    if (has_reciprocal_part(s.electrostatics)) return physics::coulomb_tail_ewald(s.ewald_splitting);
    if (s.electrostatics == Electrostatics::reaction_field) {
        return physics::coulomb_tail_reaction_field(s.cutoff, s.reaction_field_permittivity);
    }
    return physics::coulomb_tail_plain();
}

std::vector<double> scaled_charges(std::span<const double> charges, const NonbondedSettings& s) {
    const double root = std::sqrt(s.coulomb_constant);
    std::vector<double> out;
    out.reserve(charges.size());
    for (const double q : charges) out.push_back(root * q);
    return out;
}

}  // namespace mdsim
