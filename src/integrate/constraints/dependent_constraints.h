// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "integrate/constraints/group_solver.h"

namespace mdsim {

/// The first constraint that the ones before it fix already, to first order, where the atoms are: its row of the
/// rigidity matrix (bond on one atom, minus bond on the other) is a sum of theirs. No solver can share out forces
/// between such constraints. Three atoms on a line have one where all three distances are fixed, four in a plane where
/// all six are.
std::optional<std::size_t> dependent_constraint(std::span<const GroupConstraint> constraints,
                                                std::span<const Vec3d> positions);

/// The same wherever the atoms are, but for special places (Asimow and Roth, Trans. Am. Math. Soc. 245 (1978) 279: the
/// rank is the same at almost all positions): the sixth distance of a rigid body of four atoms is not dependent, the
/// tenth of five atoms is.
std::optional<std::size_t> dependent_constraint(std::span<const GroupConstraint> constraints, std::size_t atoms);

}  // namespace mdsim
