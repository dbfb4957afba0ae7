// SPDX-License-Identifier: Apache-2.0
#include "integrate/barostats/box_move.h"

#include <algorithm>

#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr Mat3d identity{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};

void move_atom(State& state, std::size_t i, const Vec3d& m) {
    for (int a = 0; a < 3; ++a) {
        state.x[i][a] *= m[a];
        state.v[i][a] /= m[a];
    }
}

// Centre of mass and its velocity are summed by one thread in the fixed order of the unit.
void move_unit(State& state, const AtomParameters& atoms, std::span<const std::int32_t> unit, const Vec3d& m) {
    const auto first = static_cast<std::size_t>(unit[0]);
    Vec3d centre{}, velocity{};
    double mass = 0.0;
    for (const std::int32_t atom : unit) {
        const auto i = static_cast<std::size_t>(atom);
        centre += atoms.mass[i] * (state.x[i] - state.x[first]);
        velocity += atoms.mass[i] * state.v[i];
        mass += atoms.mass[i];
    }
    centre = state.x[first] + (1.0 / mass) * centre;
    velocity *= 1.0 / mass;
    Vec3d shift, kick;
    for (int a = 0; a < 3; ++a) {
        shift[a] = (m[a] - 1.0) * centre[a];
        kick[a] = (1.0 / m[a] - 1.0) * velocity[a];
    }
    for (const std::int32_t atom : unit) {
        state.x[static_cast<std::size_t>(atom)] += shift;
        state.v[static_cast<std::size_t>(atom)] += kick;
    }
}

}  // namespace

bool box_move_due(const CouplingState& coupling) {
    return coupling.pending_box_move != identity;
}

void apply_box_move(State& state, const AtomParameters& atoms, const ConstraintSet& constraints) {
    if (!box_move_due(state.coupling)) return;
    const Mat3d& move = state.coupling.pending_box_move;
    const Vec3d m{move[0].x, move[1].y, move[2].z};
    MDSIM_EXPECT((move == Mat3d{Vec3d{m.x, 0, 0}, Vec3d{0, m.y, 0}, Vec3d{0, 0, m.z}}));
    MDSIM_EXPECT(state.box.periodic());
    const auto frozen = [&](std::int32_t atom) { return atoms.frozen(static_cast<std::size_t>(atom)); };
    const auto slices = constraints.slices();
    parallel_ranges(slices.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) {
            constraints.for_each_unit(slices[s], [&](std::span<const std::int32_t> unit) {
                if (std::any_of(unit.begin(), unit.end(), frozen)) return;
                if (unit.size() == 1) return move_atom(state, static_cast<std::size_t>(unit[0]), m);
                move_unit(state, atoms, unit, m);
            });
        }
    });
    state.box = state.box.transformed(move);
    state.coupling.pending_box_move = identity;
}

}  // namespace mdsim
