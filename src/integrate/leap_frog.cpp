// SPDX-License-Identifier: Apache-2.0
#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "integrate/integrator.h"
#include "integrate/update_pass.h"
#include "parallel/together.h"

namespace mdsim {

// Tasks: one per slice, independent of each other. Within a slice: kick and drift of its atoms, then its constraints.
double LeapFrog::step(State& state, const UpdateInput& input) {
    const std::size_t atoms = state.x.size();
    MDSIM_EXPECT(input.forces.size() == atoms && input.atoms.size() == atoms && state.v.size() == atoms);
    resize_tightly(x_, atoms);
    resize_tightly(v_, atoms);
    x_.swap(state.x);
    v_.swap(state.v);
    const VelocityChange& change = input.change;
    const bool changed = change.scale != 1.0 || !(change.drift == Vec3d{});
    const PassSums total = over_slices(input.constraints, [&](const AtomSlice& slice, PassSums& sums) {
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            const double inverse_mass = input.atoms.inverse_mass[i];
            if (changed && !input.atoms.frozen(i)) v_[i] = change.scale * (v_[i] - change.drift);
            state.v[i] = v_[i] + kick(input.forces[i], inverse_mass, dt_);
            state.x[i] = x_[i] + dt_ * state.v[i];
        }
        EnergySums* const virial = input.virial == Need::yes ? &sums.virial : nullptr;
        sums.constraints.run([&] {
            input.constraints.constrain(slice, ConstraintSet::Positions{x_, state.x, state.v, 1.0 / dt_, virial});
        });
    });
    if (input.sites != nullptr) input.sites->follow(x_, state.x, state.v, dt_);
    virial_ = total.virial;
    return total.constraint_share();
}

EnergySums Integrator::constraint_virial(const Comm& comm) const {
    EnergySums virial = virial_;
    comm.sum(virial.parts());
    return virial;
}

void prepare_dynamics(State& state, const AtomParameters& atoms, const ConstraintSet& constraints, const Comm& comm) {
    for (std::size_t i = 0; i < state.v.size(); ++i) {
        if (atoms.inverse_mass[i] == 0.0) state.v[i] = Vec3d{};
    }
    together(comm, [&] {
        constraints.project_positions(state.x);
        constraints.project_velocities(state.x, state.v);
    });
}

}  // namespace mdsim
