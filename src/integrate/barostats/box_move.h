// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "integrate/constraints/constraint_set.h"
#include "system/state.h"

namespace mdsim {

/// Which box lengths move together: all three, or x and y apart from z.
enum class PressureCoupling { isotropic, semi_isotropic };

/// True where a barostat left a change of the box for the next step.
bool box_move_due(const CouplingState& coupling);

/// Applies state.coupling.pending_box_move (a diagonal matrix m) and clears it: box vectors times m; the centre of mass
/// of every rigid water, constraint group and free atom times m, and its velocity divided by m, so that constraints and
/// angular momentum of the rigid units stay as they are and phase space volume is kept. Units with a frozen atom stay
/// where they are; virtual sites are to be placed afterwards. Every rank moves its home atoms by itself. Pair lists
/// must be told (the box has strained).
void apply_box_move(State& state, const AtomParameters& atoms, const ConstraintSet& constraints);

}  // namespace mdsim
