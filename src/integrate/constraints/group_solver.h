// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/vec3.h"

namespace mdsim {

/// Largest constraint group; larger ones are refused (DESIGN, "Determinism").
inline constexpr std::size_t max_group_atoms = 64;
/// As many constraints as make a body of that many atoms rigid.
inline constexpr std::size_t max_group_constraints = 3 * max_group_atoms - 6;

/// Distance of two atoms of a group, numbered within the group.
struct GroupConstraint {
    int i, j;
    double length2;  ///< [nm^2]
};

/// One group: constraints and the inverse masses of its atoms [1/u], 0 for atoms that do not move.
struct GroupView {
    std::span<const GroupConstraint> constraints;
    std::span<const double> inverse_mass;
};

/// What a group works on, gathered from its atoms; extent of each: atoms of the group, multipliers: constraints.
struct GroupWork {
    const Vec3d* reference;  ///< positions whose bonds are the directions of the constraint forces [nm]
    Vec3d* value;            ///< in: positions [nm] or velocities [nm/ps]; out: constrained
    double* multipliers;     ///< out: sum over constraints of +-multiplier * bond(reference) / m is the change of value
};

/// Relative deviation of a squared distance at which a group is done; Newton's quadratic convergence leaves rounding.
inline constexpr double constraint_tolerance = 1e-10;

/// SHAKE for one group by Newton's method on the multipliers (M-SHAKE: Kraeutler, van Gunsteren & Huenenberger, J.
/// Comput. Chem. 22 (2001) 501, eqs 9-13). False where it does not converge.
bool solve_positions(const GroupView& group, const GroupWork& work);

/// RATTLE's velocity part (Andersen, J. Comput. Phys. 52 (1983) 24, eq 12) as one linear system. False where the
/// system is singular.
bool solve_velocities(const GroupView& group, const GroupWork& work);

}  // namespace mdsim
