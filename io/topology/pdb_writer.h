// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"
#include "system/topology.h"

namespace mdsim {

/// Writes names and positions [nm] of a system as PDB, for viewers to open beside a trajectory. x: extent atoms.
/// Atom and residue numbers start again at 0 after 99999 and 9999: readers count for themselves there, while few
/// know hybrid-36. Positions beyond what eight columns hold lose decimals. An existing file is replaced.
/// Throws Error (MD391) where the file cannot be written.
void write_pdb_topology(const std::filesystem::path& file, const Topology& topology, const std::vector<Vec3d>& x,
                        const Box& box);

}  // namespace mdsim
