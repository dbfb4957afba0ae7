// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>

#include "core/vec3.h"
#include "system/box.h"
#include "system/topology.h"

namespace mdsim {

/// Puts the atoms of every molecule beside each other across box faces, along bonds, connections, constraints
/// and settles; parts of it that are not bonded to each other, along the terms that join them. The first atom of each
/// connected part stays where it is. A molecule that is bonded to its own image cannot be made whole: an input error
/// MD410 that names it.
void make_whole(const Topology& topology, const Box& box, std::span<Vec3d> x, const std::filesystem::path& coordinates);

}  // namespace mdsim
