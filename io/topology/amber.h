// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/box.h"
#include "system/topology.h"

namespace mdsim {

/// Reads an AMBER prmtop (.prmtop, .parm7), also one that chamber made of CHARMM files. Molecule types are the
/// connected components with equal names and parameters. Throws Error (MD200 ... MD203) with section and line, and
/// refuses by name what mdsim does not compute: extra points other than water's, CMAP, 12-6-4, polarisable, perturbed
/// and capped systems, 10-12 terms, and sections that it does not know. Topology::file_box is that of BOX_DIMENSIONS;
/// none where IFBOX is 0, or where the section's one angle does not describe the box. Format: "Amber file formats",
/// ambermd.org/FileFormats.php, "PARM parameter/topology file specification".
Topology read_amber_topology(const std::filesystem::path& file);

}  // namespace mdsim
