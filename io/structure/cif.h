// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads the first model of an mmCIF file (gemmi takes the CIF syntax apart), atoms in the order of _atom_site. Names
/// are the author's where the file has them. Box from _cell; lengths of 1 1 1 are none. Throws Error (MD340, MD341);
/// alternate locations and models of different size are refused.
/// Format: PDBx/mmCIF dictionary, mmcif.wwpdb.org, categories atom_site and cell.
Structure read_cif(const std::filesystem::path& file);

}  // namespace mdsim
