// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/trajectory/h5md.h"
#include "run/output/step_report.h"
#include "system/topology.h"

namespace mdsim {

enum class Molecules { whole, wrapped };

/// Positions as trajectories show them: every molecule whole with the mean of its atoms in the box, or every atom in
/// the box. In vacuum as they are.
std::vector<Vec3d> shown_positions(const Topology& topology, const Box& box, std::span<const Vec3d> x,
                                   Molecules molecules);

/// What an H5MD file says once about the atoms (global numbers from 0) that it holds.
H5mdAtoms h5md_atoms(const Topology& topology, std::span<const std::int64_t> atoms);

}  // namespace mdsim
