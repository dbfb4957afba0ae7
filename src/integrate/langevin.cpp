// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "core/units.h"
#include "integrate/integrator.h"
#include "integrate/normal_batch.h"
#include "integrate/update_pass.h"

namespace mdsim {

namespace {

struct Friction {
    double keep;     // share of the velocity that stays
    double spread2;  // kT (1 - keep^2) [kJ/mol]
    std::uint64_t seed;
    std::uint64_t step;
};

// v = keep * kicked + noise of the atom's thermal spread, for a range of atoms; frozen ones keep what they have.
void rub(const AtomParameters& atoms, std::size_t begin, std::size_t end, const Friction& friction,
         const std::vector<Vec3d>& kicked, std::vector<Vec3d>& v) {
    NormalBatch batch;
    for (std::size_t first = begin; first < end; first += NormalBatch::size) {
        const std::size_t count = std::min(NormalBatch::size, end - first);
        draw_normals(friction.seed, friction.step, std::span(atoms.id).subspan(first, count), batch);
        for (std::size_t lane = 0; lane < count; ++lane) {
            const std::size_t i = first + lane;
            const double spread = std::sqrt(friction.spread2 * atoms.inverse_mass[i]);
            v[i] = kicked[i];
            if (atoms.inverse_mass[i] != 0.0) {
                v[i] = friction.keep * kicked[i] +
                       spread * Vec3d{batch.value[0][lane], batch.value[1][lane], batch.value[2][lane]};
            }
        }
    }
}

}  // namespace

// The pressure takes its kinetic energy from the velocities before the last kick and before the noise; the impulses
// that were booked belong to the straight line from x(t) to x(t + dt). For rigid bodies the two cancel once these are
// added (docs/theory/dynamics.md, "Langevin, middle scheme"): the kinetic energy that the reset of positions gave, and
// the constraint forces of a rotation with the velocity difference / 2, where difference is the one that the noise
// made.
void Langevin::complete_virial(const UpdateInput& input, const AtomSlice& slice, const State& state,
                               EnergySums& virial) {
    // The reset of a displacement h u along a circle is booked as half of the force m u^2/r of that rotation. The
    // smaller h is, the closer; rounding still leaves nine digits.
    const double h = 0.125 * settings_.dt;
    for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
        const Vec3d middle = 0.5 * (kicked_[i] + noisy_[i]), push = state.v[i] - noisy_[i];
        const double half_mass = 0.5 * input.atoms.mass[i];
        virial.add_virial(half_mass * push, middle);
        virial.add_virial(half_mass * (middle + push), push);
        noisy_[i] = x_[i] + h * (noisy_[i] - kicked_[i]);
    }
    input.constraints.constrain(slice, ConstraintSet::Positions{x_, noisy_, {}, std::sqrt(0.5) / h, &virial});
}

// Tasks: one per slice, independent of each other; the order within a slice is the order of the scheme.
double Langevin::step(State& state, const UpdateInput& input) {
    const std::size_t atoms = state.x.size();
    MDSIM_EXPECT(input.forces.size() == atoms && input.atoms.size() == atoms && state.v.size() == atoms);
    MDSIM_EXPECT(input.atoms.id.size() == atoms);
    resize_tightly(x_, atoms);
    resize_tightly(v_, atoms);
    resize_tightly(kicked_, atoms);
    resize_tightly(noisy_, atoms);
    x_.swap(state.x);
    v_.swap(state.v);
    const double dt = settings_.dt, keep = std::exp(-settings_.friction * dt);
    const Friction friction{keep, units::boltzmann * input.temperature * (1.0 - keep * keep), settings_.seed,
                            static_cast<std::uint64_t>(state.step)};
    const ConstraintSet& constraints = input.constraints;
    const PassSums total = over_slices(constraints, [&](const AtomSlice& slice, PassSums& sums) {
        const auto constrain = [&](const auto& what) {
            sums.constraints.run([&] { constraints.constrain(slice, what); });
        };
        EnergySums* virial = input.virial == Need::yes ? &sums.virial : nullptr;
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            const double inverse_mass = input.atoms.inverse_mass[i];
            if (!input.atoms.frozen(i)) v_[i] = input.change.scale * (v_[i] - input.change.drift);
            kicked_[i] = v_[i] + kick(input.forces[i], inverse_mass, dt);
        }
        constrain(ConstraintSet::Velocities{x_, kicked_, 1.0 / dt, virial});
        rub(input.atoms, slice.atom_begin, slice.atom_end, friction, kicked_, state.v);
        constrain(ConstraintSet::Velocities{x_, state.v, 0.0, nullptr});
        for (std::size_t i = slice.atom_begin; i < slice.atom_end; ++i) {
            sums.heat.add(0.5 * input.atoms.mass[i] * (norm2(state.v[i]) - norm2(kicked_[i])));
            state.x[i] = x_[i] + (0.5 * dt) * (kicked_[i] + state.v[i]);
            noisy_[i] = state.v[i];
        }
        constrain(ConstraintSet::Positions{x_, state.x, state.v, 1.0 / dt, virial});
        if (virial != nullptr) sums.constraints.run([&] { complete_virial(input, slice, state, *virial); });
    });
    // Friction and noise do not act on sites.
    if (input.sites != nullptr) {
        input.sites->follow(x_, state.x, state.v, dt);
        input.sites->follow(x_, state.x, kicked_, dt);
    }
    virial_ = total.virial;
    state.coupling.heat.add(total.heat);
    return total.constraint_share();
}

}  // namespace mdsim
