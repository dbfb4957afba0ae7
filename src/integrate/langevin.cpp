// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "core/error.h"
#include "core/philox.h"
#include "core/units.h"
#include "integrate/integrator.h"
#include "integrate/update_pass.h"

namespace mdsim {

namespace {

struct LangevinSums {
    EnergySums virial;
    fixed::EnergySum heat;  // kinetic energy that friction and noise brought in

    void add(const LangevinSums& other) {
        virial.add(other.virial);
        heat.add(other.heat);
    }
};

Vec3d noise(std::uint64_t seed, std::int64_t step, std::size_t atom) {
    RandomStream random(seed, RandomPurpose::langevin, static_cast<std::uint64_t>(step), atom);
    const double x = random.normal(), y = random.normal(), z = random.normal();
    return {x, y, z};
}

}  // namespace

// Tasks: one per slice, independent of each other; the order within a slice is the order of the scheme.
void Langevin::step(State& state, const UpdateInput& input) {
    const std::size_t atoms = state.x.size();
    MDSIM_EXPECT(input.forces.size() == atoms && input.atoms.size() == atoms && state.v.size() == atoms);
    x_.resize(atoms);
    v_.resize(atoms);
    kicked_.resize(atoms);
    x_.swap(state.x);
    v_.swap(state.v);
    const double dt = settings_.dt, keep = std::exp(-settings_.friction * dt);
    const double spread2 = units::boltzmann * input.temperature * (1.0 - keep * keep);
    const ConstraintSet& constraints = input.constraints;
    const LangevinSums total = over_slices<LangevinSums>(constraints, [&](const AtomSlice& slice, LangevinSums& sums) {
        EnergySums* virial = input.virial == Need::yes ? &sums.virial : nullptr;
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            const double inverse_mass = input.atoms.inverse_mass[i];
            if (inverse_mass != 0.0) v_[i] = input.change.scale * (v_[i] - input.change.drift);
            kicked_[i] = v_[i] + kick(input.forces[i], inverse_mass, dt);
        }
        constraints.constrain(slice, ConstraintSet::Velocities{x_, kicked_, 1.0 / dt, virial});
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            const double inverse_mass = input.atoms.inverse_mass[i];
            state.v[i] = kicked_[i];
            if (inverse_mass == 0.0) continue;
            state.v[i] = keep * kicked_[i] + std::sqrt(spread2 * inverse_mass) * noise(settings_.seed, state.step, i);
        }
        constraints.constrain(slice, ConstraintSet::Velocities{x_, state.v, 0.0, nullptr});
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            sums.heat.add(0.5 * input.atoms.mass[i] * (norm2(state.v[i]) - norm2(kicked_[i])));
            state.x[i] = x_[i] + (0.5 * dt) * (kicked_[i] + state.v[i]);
        }
        constraints.constrain(slice, ConstraintSet::Positions{x_, state.x, state.v, 1.0 / dt, virial});
    });
    virial_ = total.virial;
    state.coupling.thermostat_work -= total.heat.value();
}

}  // namespace mdsim
