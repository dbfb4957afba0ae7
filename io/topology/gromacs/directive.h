// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace mdsim::gromacs {

/// The [ directives ] that mdsim reads. `refused` stands for all that it knows by name but cannot compute, `skipped`
/// for those that have no effect.
enum class Directive {
    none,
    defaults,
    atomtypes,
    bondtypes,
    constrainttypes,
    pairtypes,
    angletypes,
    dihedraltypes,
    cmaptypes,
    nonbond_params,
    moleculetype,
    atoms,
    bonds,
    pairs,
    angles,
    dihedrals,
    cmap,
    constraints,
    settles,
    exclusions,
    position_restraints,
    virtual_sites1,
    virtual_sites2,
    virtual_sites3,
    virtual_sites4,
    virtual_sitesn,
    pairs_nb,
    angle_restraints,
    angle_restraints_z,
    dihedral_restraints,
    distance_restraints,
    system,
    molecules,
    intermolecular_interactions,
    refused,
    skipped
};

/// Where a directive may stand: among the force field's tables (before the first molecule), inside a molecule type, or
/// in the description of the system at the end.
enum class Section { force_field, molecule, system };

struct DirectiveInfo {
    std::string_view name;
    Directive directive;
    Section section;
    std::string_view reason;  ///< of `refused`: what it would need; of `skipped`: why it has no effect
};

/// Upper and lower case, '-' and '_' make no difference. Nothing for a name that GROMACS does not know either.
std::optional<DirectiveInfo> find_directive(std::string_view name);
/// The known name that is nearest to a wrong one, for a message.
std::string_view nearest_directive(std::string_view name);
std::string_view name_of(Directive directive);

/// What a line of a molecule or of a type table describes.
enum class Kind {
    bond,
    g96_bond,
    harmonic_potential,
    connection,
    angle,
    g96_angle,
    urey_bradley,
    proper_dihedral,
    periodic_improper,
    harmonic_improper,
    ryckaert_bellemans,
    fourier_dihedral,
    cmap,
    morse,
    cubic_bond,
    fene,
    restraint_bond,
    bond_bond_cross,
    bond_angle_cross,
    quartic_angle,
    linear_angle,
    restricted_angle,
    restricted_dihedral,
    bending_torsion,
    plain_pair,
    angle_restraint,
    angle_restraint_z,
    dihedral_restraint,
    distance_restraint,
    flat_position_restraint,
    constraint,
    unbonded_constraint,
    settle,
    pair,
    pair_with_charges,
    position_restraint,
    unsupported
};

/// A function number of a directive. GROMACS Reference Manual 2022, table "Details of [ moleculetype ] directives".
struct Function {
    Directive directive;
    int number;
    Kind kind;
    int parameters;  ///< of state A
    std::string_view name;
};

/// Of [ bonds ], [ angles ], ... or of their tables ([ bondtypes ] ...), which share the numbers.
const Function* find_function(Directive directive, int number);
/// Atoms that a line names.
int atoms_of(Directive directive);
/// Bonds by which GROMACS finds excluded neighbours.
bool is_chemical_bond(Directive directive, int function);

}  // namespace mdsim::gromacs
