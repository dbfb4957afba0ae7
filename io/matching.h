// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/structure.h"
#include "system/topology.h"

namespace mdsim {

/// Throws an input error where topology and coordinates do not describe the same atoms: MD205 for another number of
/// atoms, MD206 for other names. Both say which molecule, residue and atom is the first that differs.
void require_match(const Topology& topology, const Structure& structure, const std::filesystem::path& topology_file,
                   const std::filesystem::path& structure_file);

}  // namespace mdsim
