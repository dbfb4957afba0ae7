// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads the first frame of a GROMACS .gro file: fixed columns, of a width that the distance of the decimal points
/// gives; velocities where lines have them (zero on lines that lack them); a box of three or nine numbers, or of zeros
/// for none. Throws Error (MD320 ... MD329) with line and column for whatever is no such file.
/// Format: GROMACS Reference Manual 2022, "File formats", "gro".
Structure read_gro(const std::filesystem::path& file);

/// Number of frames. Every frame's atom count, lines and box are checked; coordinates are not read.
std::int64_t count_gro_frames(const std::filesystem::path& file);

/// Writes one frame with `decimals` digits behind the point of positions [nm], one more of velocities [nm/ps].
/// Residue and atom numbers start again from 0 after 99999, as the five columns need. Throws Error where the file
/// cannot be written.
void write_gro(const std::filesystem::path& file, const Structure& structure, int decimals = 3);

}  // namespace mdsim
