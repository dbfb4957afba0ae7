// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/topology/amber/pointers.h"
#include "system/topology.h"

namespace mdsim::amber {

// Each of these converts some sections, to mdsim's units. The whole system is one MoleculeType at first, with the
// file's atom numbers (from 0).

ForceField read_force_field(const PrmtopFile& file, const Pointers& pointers);
/// Lennard-Jones of 1-4 pairs before their scaling, extent: types * types. Only chamber has numbers of its own there.
std::vector<LjParameters> read_lj14(const PrmtopFile& file, const Pointers& pointers, const ForceField& force_field);
/// Atoms and residues.
void read_atoms(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole);
void read_bonds(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole);
/// Elements that the file does not give, by name with the mass as check; mass that was moved to hydrogens (mass
/// repartitioning) is counted back along the bonds first.
void guess_elements(MoleculeType& whole);
/// Makes virtual sites of atoms without mass and takes bonds and angles with them off. Behind bonds, angles and
/// elements; refuses those that are not of four- or five-site water.
void read_extra_points(const PrmtopFile& file, MoleculeType& whole);
void read_angles(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole);
/// Proper and improper dihedrals, and the 1-4 pairs that their ends are.
void read_dihedrals(const PrmtopFile& file, const Pointers& pointers, const std::vector<LjParameters>& lj14,
                    MoleculeType& whole);
/// Urey-Bradley terms and harmonic impropers of a chamber prmtop.
void read_charmm_terms(const PrmtopFile& file, MoleculeType& whole);
/// Torsion correction maps, those of chamber and those of ff19SB.
void read_cmaps(const PrmtopFile& file, MoleculeType& whole, ForceField& force_field);
/// Sections that no force depends on: throws where one ends before the values that POINTERS promises, since a file that
/// is cut there may be wrong elsewhere too.
void check_unused_sections(const PrmtopFile& file, const Pointers& pointers);
void read_exclusions(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole);

}  // namespace mdsim::amber
