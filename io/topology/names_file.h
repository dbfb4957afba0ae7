// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/topology.h"

namespace mdsim {

/// Whether the name is that of a topology, which has no coordinates: .top, .itp, .prmtop, .parm7, .psf.
bool is_topology_file(const std::filesystem::path& file);

/// Names of atoms, and who is bonded where the file says it, from a topology or a structure file. For output and
/// selections; topologies of structure files and of .psf have no parameters. Throws what the reader of the format
/// throws.
Topology read_names(const std::filesystem::path& file);

}  // namespace mdsim
