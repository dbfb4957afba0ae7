// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// For GROMACS topologies: where includes are searched, and macros that are defined ("POSRES", "X=1"). For CHARMM
/// topologies: the parameter files, in order.
struct TopologyOptions {
    std::vector<std::filesystem::path> include_path;
    std::vector<std::string> define;
    std::vector<std::filesystem::path> parameters;
};

enum class TopologyFormat { amber, charmm, gromacs };

/// By the end of the name and, as .top is both programs' name, by the first bytes. Nothing where it is neither.
std::optional<TopologyFormat> topology_format(const std::filesystem::path& file);

/// Reads a topology of any format that mdsim knows, with all that a simulation needs. `notes`, where given, gets what
/// the log should say of it. Throws what the reader of the format throws, and Error (MD209) where the format is none of
/// them.
Topology read_topology(const std::filesystem::path& file, const TopologyOptions& options,
                       std::vector<std::string>* notes = nullptr);

}  // namespace mdsim
