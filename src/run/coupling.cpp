// SPDX-License-Identifier: Apache-2.0
#include "run/coupling.h"

#include "observe/kinetic_energy.h"

namespace mdsim {

VelocityChange Coupling::velocity_change(State& state, const AtomParameters& home, const Comm& comm) const {
    VelocityChange change;
    const bool removes = settings_.remove_com_every > 0 && state.step % settings_.remove_com_every == 0;
    if (removes) change.drift = centre_of_mass_velocity(home, state.v, comm);
    if (settings_.v_rescale && acts(state.step)) {
        const double kinetic = kinetic_energy(home, state.v, comm, change.drift);
        change.scale = settings_.v_rescale->scale(state, kinetic, temperature(state.step));
    }
    return change;
}

void Coupling::plan_box_move(State& state, const Mat3d& pressure) const {
    settings_.c_rescale->couple(state, pressure, temperature(state.step));
}

void Coupling::try_volume(State& state, const AtomParameters& home, const Comm& comm,
                          const std::function<double()>& energy) {
    const double before = energy();
    settings_.monte_carlo->begin_trial(state, home, comm);
    const double after = energy();
    settings_.monte_carlo->accept_or_reject(state, before, after, temperature(state.step));
}

}  // namespace mdsim
