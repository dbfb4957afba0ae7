// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "system/topology.h"

namespace mdsim {

/// What a PSF file says of its system without parameters: names, charges, masses and who is bonded, and the atoms of
/// angles and dihedrals. Bonds are connections; angles, dihedrals and impropers have force constants of zero, so that
/// nothing can be simulated with it.
struct PsfFile {
    Topology topology;
    std::int64_t bonds = 0, angles = 0, dihedrals = 0, impropers = 0, cross_terms = 0;
    std::int64_t drude_particles = 0;  ///< by their type, DRUD
};

/// CHARMM's and X-PLOR's PSF, plain and EXT, as CHARMM, NAMD, VMD and others write it: by blanks, but for a blank
/// segment name, which the columns tell. Chains are the segments. Throws Error (MD232) with line and section for
/// whatever is no such file. Format: CHARMM documentation, struct.info; NAMD user guide, "PSF files".
PsfFile read_psf(const std::filesystem::path& file);

}  // namespace mdsim
