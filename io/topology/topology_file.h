// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// For GROMACS topologies: where includes are searched, and macros that are defined ("POSRES", "X=1").
struct TopologyOptions {
    std::vector<std::filesystem::path> include_path;
    std::vector<std::string> define;
};

/// Reads a topology of any format that mdsim knows, told apart by name and content. Errors: those of the readers, and
/// MD201 where the format is not known.
Topology read_topology(const std::filesystem::path& file, const TopologyOptions& options);

}  // namespace mdsim
