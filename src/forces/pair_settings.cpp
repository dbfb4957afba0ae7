// SPDX-License-Identifier: Apache-2.0
#include "forces/pair_settings.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/error.h"
#include "forces/mesh/prolate/shifted_prolate.h"

namespace mdsim {

physics::LjTail<double> make_lj_tail(const NonbondedSettings& s) {
    switch (lj_form(s)) {
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
    if (s.electrostatics == Electrostatics::esp) return mesh::prolate_tail(s.prolate_bandwidth, s.cutoff);
    if (has_reciprocal_part(s.electrostatics)) return physics::coulomb_tail_ewald(s.ewald_splitting);
    if (s.electrostatics == Electrostatics::reaction_field) {
        return physics::coulomb_tail_reaction_field(s.cutoff, s.reaction_field_permittivity);
    }
    return physics::coulomb_tail_plain();
}

physics::CoulombTail<double> make_kernel_coulomb_tail(const NonbondedSettings& s) {
    physics::CoulombTail<double> tail = make_coulomb_tail(s);
    if (tail.beta > 0.0) physics::fit_ewald_polynomial(tail, s.cutoff);
    return tail;
}

bool has_cutoff(const NonbondedSettings& s) {
    return s.electrostatics != Electrostatics::none;
}

LennardJones lj_form(const NonbondedSettings& s) {
    return has_cutoff(s) ? s.lennard_jones : LennardJones::cut;
}

double squared_cutoff(const NonbondedSettings& s) {
    return has_cutoff(s) ? s.cutoff * s.cutoff : 1e30;
}

PairListSettings with_cutoff(PairListSettings lists, const NonbondedSettings& s) {
    lists.cutoff = has_cutoff(s) ? s.cutoff : std::numeric_limits<double>::infinity();
    return lists;
}

void require_splitting_for_mixed(const NonbondedSettings& s) {
    const double largest = physics::ewald_rational_limit / s.cutoff;
    if (!has_reciprocal_part(s.electrostatics) || s.ewald_splitting <= largest) return;
    throw_input_error(
        {.code = "MD455",
         .what = fmt::format("the Ewald splitting of {:.4g} /nm is too large for mixed precision", s.ewald_splitting),
         .why = fmt::format("with a cutoff of {:.4g} nm the single-precision formula holds up to {:.4g} /nm, where the "
                            "direct part is below 1e-8 at the cutoff",
                            s.cutoff, largest),
         .remedy = fmt::format("set forces.ewald_splitting to at most \"{:.3f} /nm\", leave it out, or run with "
                               "hardware.precision = \"double\"",
                               std::floor(largest * 1000.0) / 1000.0)});
}

std::vector<double> scaled_charges(std::span<const double> charges, const NonbondedSettings& s) {
    const double root = std::sqrt(s.coulomb_constant);
    std::vector<double> out;
    out.reserve(charges.size());
    for (const double q : charges) out.push_back(root * q);
    return out;
}

}  // namespace mdsim
