// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/pair_forces.h"
#include "gpu/kernels/pair_tile.h"

namespace mdsim::kernels::MDSIM_BACKEND {

namespace {

template <template <class> class Lj, template <class> class Coulomb>
void launch_form(gpu::Stream& stream, const PairForcesArgs& args) {
    if (args.everything) return launch_pair_forces<PairForm<Lj, Coulomb, true>>(stream, args);
    launch_pair_forces<PairForm<Lj, Coulomb, false>>(stream, args);
}

template <template <class> class Lj>
void launch_lj(gpu::Stream& stream, const PairForcesArgs& args) {
    switch (args.coulomb_form) {
        case CoulombForm::reaction_field:
            return launch_form<Lj, CoulombReactionField>(stream, args);
        case CoulombForm::ewald_rational:
            return launch_form<Lj, CoulombEwaldRational>(stream, args);
        case CoulombForm::ewald_polynomial:
            return launch_form<Lj, CoulombEwaldPolynomial>(stream, args);
    }
}

}  // namespace

void add_pair_forces(gpu::Stream& stream, const PairForcesArgs& args) {
    switch (args.lennard_jones) {
        case LennardJones::cut:
        case LennardJones::shift:
            return launch_lj<LjPlain>(stream, args);
        case LennardJones::potential_switch:
            return launch_lj<LjPotentialSwitch>(stream, args);
        case LennardJones::force_switch:
            return launch_lj<LjForceSwitch>(stream, args);
        case LennardJones::charmm_force_switch:
            return launch_lj<LjCharmmForceSwitch>(stream, args);
    }
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
