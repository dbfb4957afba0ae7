// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "run/output/step_report.h"
#include "system/topology.h"

namespace mdsim {

enum class Molecules { whole, wrapped };

/// Positions as trajectories show them: every molecule whole with the mean of its atoms in the box, or every atom in
/// the box. In vacuum as they are.
std::vector<Vec3d> shown_positions(const Topology& topology, const Box& box, std::span<const Vec3d> x,
                                   Molecules molecules);

}  // namespace mdsim
