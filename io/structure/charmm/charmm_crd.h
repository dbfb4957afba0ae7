// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// CHARMM coordinates (.crd, .cor), standard and EXT: title lines of a star, the number of atoms, a line for each. By
/// blanks where a line has ten words, else by columns. There is no box in them. Throws Error (MD350 where the file
/// cannot be read, MD351 with line and column for whatever is no such file). Format: CHARMM documentation, io.info,
/// "Coordinate files".
Structure read_charmm_crd(const std::filesystem::path& file);

}  // namespace mdsim
