// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// What a PSF file holds, as it stands there. Atoms are numbered from 0 throughout the file.
struct PsfContents {
    /// Atoms and residues; bonds are connections; angles, dihedrals and impropers have force constants of zero. The
    /// exclusions are those of section !NNB alone.
    MoleculeType whole;
    std::string title;
    std::vector<std::string> type_names;  ///< as the file has them, some programs' are numbers; by Atom::type
    std::vector<std::array<int, 8>> cross_terms;
    std::int64_t lone_pairs = 0;
    std::int64_t drude_particles = 0;          ///< by their type, DRUD
    int first_drude_line = 0;                  ///< 0 for none
    std::map<std::string, int> section_lines;  ///< "NBOND": the line where it begins
};

/// What a PSF file says of its system without parameters: names, charges, masses and who is bonded, and the atoms of
/// angles and dihedrals. Bonds are connections; angles, dihedrals and impropers have force constants of zero, so that
/// nothing can be simulated with it.
struct PsfFile {
    Topology topology;
    std::int64_t bonds = 0, angles = 0, dihedrals = 0, impropers = 0, cross_terms = 0;
    std::int64_t drude_particles = 0, lone_pairs = 0;
};

/// CHARMM's and X-PLOR's PSF, plain and EXT, as CHARMM, NAMD, VMD and others write it: by blanks, but for a blank
/// segment name, which the columns tell. Chains are the segments. Throws Error (MD232) with line and section for
/// whatever is no such file. Format: CHARMM documentation, struct.info; NAMD user guide, "PSF files".
PsfContents read_psf_contents(const std::filesystem::path& file);

/// The same, cut into molecules where no residue comes apart.
PsfFile read_psf(const std::filesystem::path& file);

}  // namespace mdsim
