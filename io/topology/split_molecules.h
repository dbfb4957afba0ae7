// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/topology.h"

namespace mdsim {

/// Finds the molecules of a system that a file describes as one list of atoms and terms (prmtop, psf): connected
/// components by bonds and all other terms, those whose atoms are not contiguous merged over their span. Molecules with
/// equal atoms, residue names and terms by relative index are one type; equal ones in a row are one block.
/// Fills types and blocks. Time and memory are linear in the size of the system.
Topology split_molecules(MoleculeType&& whole);

/// The same of a file that may say too little about bonds: where a residue would come apart, all stays one molecule, so
/// that residues and their numbers are those of the file.
Topology split_where_residues_stay(MoleculeType&& whole);

}  // namespace mdsim
