// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/topology.h"

namespace mdsim {

/// Finds the molecules of a system that a file describes as one list of atoms and terms (prmtop, psf): connected
/// components by bonds and all other terms, those whose atoms are not contiguous merged over their span. Molecules with
/// equal atoms, residue names and terms by relative index are one type; equal ones in a row are one block.
/// Fills types and blocks. Time and memory are linear in the size of the system.
Topology split_molecules(MoleculeType&& whole);

}  // namespace mdsim
