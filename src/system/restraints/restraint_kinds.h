// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim {

/// What a restraint of centres of mass measures: the distance of two, the angle at the second of three, the dihedral
/// angle of four.
enum class GroupMeasure { distance, angle, dihedral };

/// The region whose border a wall is. plane: between two planes across an axis; sphere: within a radius of a centre;
/// cylinder: within a radius of a line along an axis.
enum class WallShape { plane, sphere, cylinder };
enum class WallSide { inside, outside };

}  // namespace mdsim
