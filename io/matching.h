// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "system/structure.h"
#include "system/topology.h"

namespace mdsim {

/// Whether two programs may mean the same atom by these names: upper and lower case, a digit before or behind
/// (1HB, HB1), primes and stars, the names of water and ions, the numbering of hydrogens on one atom, and the
/// customary names at chain ends are all the same.
bool same_atom_name(std::string_view a, std::string_view b);

/// Whether residues of these names may be the same. Only two different standard ones (amino acids in any protonation,
/// nucleotides, water, ions) are not; what a ligand is called differs too much between programs to say anything.
bool same_residue_name(std::string_view a, std::string_view b);

/// Throws an input error where topology and coordinates do not describe the same atoms: MD205 for another number of
/// atoms, MD206 for other names. Both say which molecule, residue and atom is the first that differs.
void require_match(const Topology& topology, const Structure& structure, const std::filesystem::path& topology_file,
                   const std::filesystem::path& structure_file);

}  // namespace mdsim
