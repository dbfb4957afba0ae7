// SPDX-License-Identifier: Apache-2.0
#include "integrate/constraints/group_solver.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace mdsim {

namespace {

constexpr int max_iterations = 50;

// Room for the linear system of up to `most` constraints on `atoms` atoms.
template <std::size_t most, std::size_t atoms>
struct Room {
    static constexpr std::size_t width = most;
    double matrix[most][most];
    double right[most];
    Vec3d bond[most];  // of the reference positions
    Vec3d now[most];   // of the positions so far
    Vec3d start[atoms];
};
using SmallRoom = Room<6, 8>;  // XH4 and anything up to six constraints
using LargeRoom = Room<max_group_constraints, max_group_atoms>;

// A pivot that is so small beside the largest diagonal element is rounding: constraints depend on each other.
constexpr double least_pivot = 1e-12;

// Gaussian elimination with partial pivoting; the solution is left in room.right. False: singular, or not a number.
template <class R>
bool solve_linear(R& room, std::size_t n) {
    double largest = 0.0;
    for (std::size_t c = 0; c < n; ++c) largest = std::max(largest, std::abs(room.matrix[c][c]));
    for (std::size_t column = 0; column < n; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < n; ++row) {
            if (std::abs(room.matrix[row][column]) > std::abs(room.matrix[pivot][column])) pivot = row;
        }
        if (pivot != column) {
            for (std::size_t k = column; k < n; ++k) std::swap(room.matrix[pivot][k], room.matrix[column][k]);
            std::swap(room.right[pivot], room.right[column]);
        }
        const double diagonal = room.matrix[column][column];
        if (!(std::abs(diagonal) > least_pivot * largest)) return false;
        const double inverse = 1.0 / diagonal;
        for (std::size_t row = column + 1; row < n; ++row) {
            const double factor = room.matrix[row][column] * inverse;
            if (factor == 0.0) continue;
            for (std::size_t k = column + 1; k < n; ++k) room.matrix[row][k] -= factor * room.matrix[column][k];
            room.right[row] -= factor * room.right[column];
        }
    }
    for (std::size_t row = n; row-- > 0;) {
        double sum = room.right[row];
        for (std::size_t k = row + 1; k < n; ++k) sum -= room.matrix[row][k] * room.right[k];
        room.right[row] = sum / room.matrix[row][row];
    }
    return true;
}

// How the bond of constraint c answers to a multiplier of constraint d: sum over shared atoms of +-1/m.
double coupling(const GroupView& group, const GroupConstraint& c, const GroupConstraint& d) {
    const auto weight = [&](int atom) { return group.inverse_mass[static_cast<std::size_t>(atom)]; };
    double sum = 0.0;
    if (c.i == d.i) sum += weight(c.i);
    if (c.j == d.j) sum += weight(c.j);
    if (c.i == d.j) sum -= weight(c.i);
    if (c.j == d.i) sum -= weight(c.j);
    return sum;
}

template <class R>
void fill_matrix(const GroupView& group, R& room, const Vec3d* left) {
    const std::size_t n = group.constraints.size();
    for (std::size_t c = 0; c < n; ++c) {
        for (std::size_t d = 0; d < n; ++d) {
            room.matrix[c][d] =
                coupling(group, group.constraints[c], group.constraints[d]) * dot(left[c], room.bond[d]);
        }
    }
}

Vec3d bond_of(const GroupConstraint& c, const Vec3d* r) {
    return r[c.i] - r[c.j];
}

// value = start + what all multipliers together do.
template <class R>
void displace(const GroupView& group, const GroupWork& work, const R& room) {
    for (std::size_t i = 0; i < group.inverse_mass.size(); ++i) work.value[i] = room.start[i];
    for (std::size_t c = 0; c < group.constraints.size(); ++c) {
        const GroupConstraint& constraint = group.constraints[c];
        const Vec3d push = work.multipliers[c] * room.bond[c];
        const auto i = static_cast<std::size_t>(constraint.i), j = static_cast<std::size_t>(constraint.j);
        work.value[i] += group.inverse_mass[i] * push;
        work.value[j] -= group.inverse_mass[j] * push;
    }
}

template <class R>
void take_in(const GroupView& group, const GroupWork& work, R& room) {
    for (std::size_t i = 0; i < group.inverse_mass.size(); ++i) room.start[i] = work.value[i];
    for (std::size_t c = 0; c < group.constraints.size(); ++c) {
        room.bond[c] = bond_of(group.constraints[c], work.reference);
        work.multipliers[c] = 0.0;
    }
}

template <class R>
bool positions(const GroupView& group, const GroupWork& work, R& room) {
    const std::size_t n = group.constraints.size();
    take_in(group, work, room);
    for (int iteration = 0; iteration < max_iterations; ++iteration) {
        bool done = true;
        for (std::size_t c = 0; c < n; ++c) {
            room.now[c] = bond_of(group.constraints[c], work.value);
            const double excess = norm2(room.now[c]) - group.constraints[c].length2;
            // Half of it: the derivative of a squared length is twice the bond times the bond's change.
            room.right[c] = -0.5 * excess;
            if (!(std::abs(excess) <= 2.0 * constraint_tolerance * group.constraints[c].length2)) done = false;
        }
        if (done) return true;
        fill_matrix(group, room, room.now);
        if (!solve_linear(room, n)) return false;
        for (std::size_t c = 0; c < n; ++c) work.multipliers[c] += room.right[c];
        displace(group, work, room);
    }
    return false;
}

template <class R>
bool velocities(const GroupView& group, const GroupWork& work, R& room) {
    const std::size_t n = group.constraints.size();
    take_in(group, work, room);
    for (std::size_t c = 0; c < n; ++c) room.right[c] = -dot(room.bond[c], bond_of(group.constraints[c], work.value));
    fill_matrix(group, room, room.bond);
    if (!solve_linear(room, n)) return false;
    for (std::size_t c = 0; c < n; ++c) work.multipliers[c] = room.right[c];
    displace(group, work, room);
    return true;
}

template <class F>
bool with_room(const GroupView& group, F&& f) {
    if (group.constraints.size() <= SmallRoom::width) {
        SmallRoom room;
        return f(room);
    }
    const auto room = std::make_unique_for_overwrite<LargeRoom>();
    return f(*room);
}

}  // namespace

bool solve_positions(const GroupView& group, const GroupWork& work) {
    return with_room(group, [&](auto& room) { return positions(group, work, room); });
}

bool solve_velocities(const GroupView& group, const GroupWork& work) {
    return with_room(group, [&](auto& room) { return velocities(group, work, room); });
}

}  // namespace mdsim
