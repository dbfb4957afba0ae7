// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads an AMBER coordinate or restart file (.inpcrd, .rst7): positions, velocities and box where it has them, as text
/// or as NetCDF (told apart by the first bytes, whatever the name). Text does not say what the lines after the
/// positions are; their number does, and where that is ambiguous (one or two atoms) the values do. expected_atoms: of
/// the topology, -1 where unknown. Throws Error (MD300 ... MD303) with line and column. Format: "Amber file formats",
/// ambermd.org/FileFormats.php, "restart"; velocities are in Angstrom per 1/20.455 ps.
Structure read_amber_restart(const std::filesystem::path& file, std::int64_t expected_atoms = -1);

}  // namespace mdsim
