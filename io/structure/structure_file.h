// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "system/structure.h"

namespace mdsim {

enum class StructureFormat { gro, pdb, cif, amber_restart, charmm_crd };

/// By the end of the name, and by the first bytes where a name is used for several formats. Nothing where it is none of
/// these. Does not open a file whose name decides.
std::optional<StructureFormat> structure_format(const std::filesystem::path& file);

/// Reads coordinates of any format that mdsim knows. Throws what the reader of the format throws, and Error (MD309)
/// where the format is none of them.
Structure read_structure(const std::filesystem::path& file);

}  // namespace mdsim
