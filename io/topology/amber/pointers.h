// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/topology/amber/prmtop_file.h"

namespace mdsim::amber {

/// The counts of section POINTERS that mdsim uses, by AMBER's names in the comments.
struct Pointers {
    int atoms = 0;                       // NATOM
    int types = 0;                       // NTYPES
    int bonds_h = 0, bonds = 0;          // NBONH, NBONA
    int angles_h = 0, angles = 0;        // NTHETH, NTHETA
    int dihedrals_h = 0, dihedrals = 0;  // NPHIH, NPHIA
    int exclusions = 0;                  // NNB
    int residues = 0;                    // NRES
    int bond_types = 0;                  // NUMBND
    int angle_types = 0;                 // NUMANG
    int dihedral_types = 0;              // NPTRA
    int solution_types = 0;              // NATYP
    int hbond_types = 0;                 // NPHB
    int box = 0;                         // IFBOX
};

/// Reads POINTERS. Throws where they contradict the sections, and where the file needs what mdsim does not compute:
/// everything of that kind is reported together, by name.
Pointers read_pointers(const PrmtopFile& file);

}  // namespace mdsim::amber
