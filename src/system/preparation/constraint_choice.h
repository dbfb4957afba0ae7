// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// Which bonds become fixed distances (`constraints` in the input). Each includes those before it.
enum class ConstraintChoice { none, water, hydrogen_bonds, all_bonds };

/// True for hydrogen by its atomic number; where the file gives none, by a name that starts with H or D and a mass
/// below 3.5 u (so that repartitioned hydrogens are recognised and helium is not one).
bool is_hydrogen(const Atom& atom);

/// True for a molecule of one oxygen and two hydrogens, virtual sites not counted.
bool is_water(const MoleculeType& type);

/// Turns bonds into constraints, molecule type by molecule type, and takes what is fixed off the term lists:
/// - water (choice water or more) becomes a Settle, from bonds O-H, O-H, H-H (AMBER) or from bonds O-H, O-H
///   and the angle (flexible definitions); its bonds, angle and Urey-Bradley term go;
/// - bonds to hydrogen, or all harmonic bonds, of other molecules become Constraints of their equilibrium length;
/// - constraints and settles that the file itself gives stay whatever the choice; three of them that make up a
///   water become a Settle.
/// Bonds that go leave a connection behind, H-H bonds of water apart. Returns lines for the log.
std::vector<std::string> choose_constraints(Topology& topology, ConstraintChoice choice);

/// Whether centre-of-mass motion is removed, which costs three degrees of freedom.
enum class ComRemoval { no, yes };

/// Degrees of freedom: 3 per atom that moves (virtual sites do not), less one per constraint with an end that moves
/// (three per water), less 3 where the centre of mass is kept still (never with frozen atoms). `frozen`: extent atoms,
/// or empty for none.
std::int64_t degrees_of_freedom(const Topology& topology, ComRemoval removal, std::span<const unsigned char> frozen);

/// Hydrogen mass repartitioning (Feenstra, Hess & Berendsen, J. Comput. Chem. 20 (1999) 786; Hopkins et al., J. Chem.
/// Theory Comput. 11 (2015) 1864): every hydrogen gets `mass` [u], and the atom to which it is bonded loses what it
/// gained. Water keeps its masses. Returns how many hydrogens the system has of the new mass. An input error where a
/// heavy atom would end lighter than the hydrogens.
std::int64_t repartition_hydrogen_mass(Topology& topology, double mass);

}  // namespace mdsim
