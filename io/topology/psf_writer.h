// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/topology.h"

namespace mdsim {

/// Writes atoms (with types, charges, masses) and bonds, angles, dihedrals and impropers of a system as a CHARMM PSF of
/// the extended XPLOR form (flags EXT XPLOR NAMD), for viewers to open beside a trajectory; it has no parameters and
/// starts no run. An existing file is replaced. Throws Error (MD391) where the file cannot be written.
void write_psf(const std::filesystem::path& file, const Topology& topology);

}  // namespace mdsim
