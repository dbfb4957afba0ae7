// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

struct GromacsOptions {
    std::vector<std::filesystem::path> include_path;  ///< searched for #include after the including file's own folder
    std::vector<std::string> define;                  ///< macros: "POSRES", "X=1"
};

/// Reads a GROMACS topology (.top) with everything that it includes. Charges, masses and bonded parameters come out in
/// mdsim's units; combination rules are applied; only molecule types that [ molecules ] uses are kept. Problems are
/// collected and thrown together as Error (MD220 ... MD239), each with file, line and directive; what mdsim cannot
/// compute (B states, tabulated functions ...) is refused by name where it is used.
/// Format: GROMACS Reference Manual 2022, chapter "File formats", "Topology file".
Topology read_gromacs_topology(const std::filesystem::path& file, const GromacsOptions& options);

}  // namespace mdsim
