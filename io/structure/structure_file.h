// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads coordinates of any format that mdsim knows, told apart by name and content. Errors: those of the readers, and
/// MD301 where the format is not known.
Structure read_structure(const std::filesystem::path& file);

}  // namespace mdsim
