// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "system/structure.h"

namespace mdsim {

/// Reads the first model of a PDB file, atoms in the order of the file (gemmi's own PDB reader gathers residues of
/// equal number, which in a solvated system are different molecules; so the columns are read here). Box from CRYST1;
/// the conventional 1 1 1 is none. Hybrid-36 numbers, insertion codes, residue names of four and numbers of five
/// letters are understood; serial numbers do not matter. Throws Error (MD330 ... MD332) with line and column; alternate
/// locations are refused by name, for a simulation needs one position an atom.
/// Format: wwPDB, "Atomic Coordinate Entry Format Version 3.3"; hybrid-36: cci.lbl.gov/hybrid_36.
Structure read_pdb(const std::filesystem::path& file);

}  // namespace mdsim
