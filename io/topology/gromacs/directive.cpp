// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/directive.h"

#include <algorithm>
#include <array>
#include <vector>

#include "core/edit_distance.h"
#include "io/topology/gromacs/fields.h"

namespace mdsim::gromacs {

namespace {

constexpr std::string_view shells = "shells and polarisation are not computed";
constexpr std::string_view implicit_solvent =
    "parameters of an implicit solvent, which GROMACS itself skips since 2019";

constexpr std::array directives{
    DirectiveInfo{"defaults", Directive::defaults, Section::force_field, {}},
    DirectiveInfo{"atomtypes", Directive::atomtypes, Section::force_field, {}},
    DirectiveInfo{"bondtypes", Directive::bondtypes, Section::force_field, {}},
    DirectiveInfo{"constrainttypes", Directive::constrainttypes, Section::force_field, {}},
    DirectiveInfo{"pairtypes", Directive::pairtypes, Section::force_field, {}},
    DirectiveInfo{"angletypes", Directive::angletypes, Section::force_field, {}},
    DirectiveInfo{"dihedraltypes", Directive::dihedraltypes, Section::force_field, {}},
    DirectiveInfo{"nonbond_params", Directive::nonbond_params, Section::force_field, {}},
    DirectiveInfo{"cmaptypes", Directive::cmaptypes, Section::force_field, {}},
    DirectiveInfo{"implicit_genborn_params", Directive::skipped, Section::force_field, implicit_solvent},
    DirectiveInfo{"implicit_surface_params", Directive::skipped, Section::force_field, implicit_solvent},
    DirectiveInfo{"moleculetype", Directive::moleculetype, Section::molecule, {}},
    DirectiveInfo{"atoms", Directive::atoms, Section::molecule, {}},
    DirectiveInfo{"bonds", Directive::bonds, Section::molecule, {}},
    DirectiveInfo{"pairs", Directive::pairs, Section::molecule, {}},
    DirectiveInfo{"angles", Directive::angles, Section::molecule, {}},
    DirectiveInfo{"dihedrals", Directive::dihedrals, Section::molecule, {}},
    DirectiveInfo{"cmap", Directive::cmap, Section::molecule, {}},
    DirectiveInfo{"constraints", Directive::constraints, Section::molecule, {}},
    DirectiveInfo{"settles", Directive::settles, Section::molecule, {}},
    DirectiveInfo{"exclusions", Directive::exclusions, Section::molecule, {}},
    DirectiveInfo{"position_restraints", Directive::position_restraints, Section::molecule, {}},
    DirectiveInfo{"pairs_nb", Directive::pairs_nb, Section::molecule, {}},
    DirectiveInfo{"virtual_sites1", Directive::virtual_sites1, Section::molecule, {}},
    DirectiveInfo{"virtual_sites2", Directive::virtual_sites2, Section::molecule, {}},
    DirectiveInfo{"virtual_sites3", Directive::virtual_sites3, Section::molecule, {}},
    DirectiveInfo{"virtual_sites4", Directive::virtual_sites4, Section::molecule, {}},
    DirectiveInfo{"virtual_sitesn", Directive::virtual_sitesn, Section::molecule, {}},
    DirectiveInfo{"dummies1", Directive::virtual_sites1, Section::molecule, {}},
    DirectiveInfo{"dummies2", Directive::virtual_sites2, Section::molecule, {}},
    DirectiveInfo{"dummies3", Directive::virtual_sites3, Section::molecule, {}},
    DirectiveInfo{"dummies4", Directive::virtual_sites4, Section::molecule, {}},
    DirectiveInfo{"dummiesn", Directive::virtual_sitesn, Section::molecule, {}},
    DirectiveInfo{"polarization", Directive::refused, Section::molecule, shells},
    DirectiveInfo{"water_polarization", Directive::refused, Section::molecule, shells},
    DirectiveInfo{"thole_polarization", Directive::refused, Section::molecule, shells},
    DirectiveInfo{"distance_restraints", Directive::distance_restraints, Section::molecule, {}},
    DirectiveInfo{"dihedral_restraints", Directive::dihedral_restraints, Section::molecule, {}},
    DirectiveInfo{"angle_restraints", Directive::angle_restraints, Section::molecule, {}},
    DirectiveInfo{"angle_restraints_z", Directive::angle_restraints_z, Section::molecule, {}},
    DirectiveInfo{"orientation_restraints", Directive::refused, Section::molecule,
                  "restraints of orientations against NMR data, averaged over an ensemble, are not computed"},
    DirectiveInfo{"system", Directive::system, Section::system, {}},
    DirectiveInfo{"molecules", Directive::molecules, Section::system, {}},
    DirectiveInfo{"intermolecular_interactions", Directive::intermolecular_interactions, Section::system, {}},
};

constexpr std::array functions{
    Function{Directive::bonds, 1, Kind::bond, 2, "harmonic bond"},
    Function{Directive::bonds, 2, Kind::g96_bond, 2, "GROMOS-96 bond"},
    Function{Directive::bonds, 3, Kind::morse, 3, "Morse bond"},
    Function{Directive::bonds, 4, Kind::cubic_bond, 3, "cubic bond"},
    Function{Directive::bonds, 5, Kind::connection, 0, "connection"},
    Function{Directive::bonds, 6, Kind::harmonic_potential, 2, "harmonic potential"},
    Function{Directive::bonds, 7, Kind::fene, 2, "FENE bond"},
    Function{Directive::bonds, 8, Kind::unsupported, 2, "tabulated bond"},
    Function{Directive::bonds, 9, Kind::unsupported, 2, "tabulated bond without exclusion"},
    Function{Directive::bonds, 10, Kind::restraint_bond, 4, "restraint potential"},
    Function{Directive::angles, 1, Kind::angle, 2, "harmonic angle"},
    Function{Directive::angles, 2, Kind::g96_angle, 2, "GROMOS-96 angle"},
    Function{Directive::angles, 3, Kind::bond_bond_cross, 3, "cross bond-bond"},
    Function{Directive::angles, 4, Kind::bond_angle_cross, 4, "cross bond-angle"},
    Function{Directive::angles, 5, Kind::urey_bradley, 4, "Urey-Bradley angle"},
    Function{Directive::angles, 6, Kind::quartic_angle, 6, "quartic angle"},
    Function{Directive::angles, 8, Kind::unsupported, 2, "tabulated angle"},
    Function{Directive::angles, 9, Kind::linear_angle, 2, "linear angle"},
    Function{Directive::angles, 10, Kind::restricted_angle, 2, "restricted bending"},
    Function{Directive::dihedrals, 1, Kind::proper_dihedral, 3, "proper dihedral"},
    Function{Directive::dihedrals, 2, Kind::harmonic_improper, 2, "harmonic improper dihedral"},
    Function{Directive::dihedrals, 3, Kind::ryckaert_bellemans, 6, "Ryckaert-Bellemans dihedral"},
    Function{Directive::dihedrals, 4, Kind::periodic_improper, 3, "periodic improper dihedral"},
    Function{Directive::dihedrals, 5, Kind::fourier_dihedral, 4, "Fourier dihedral"},
    Function{Directive::dihedrals, 8, Kind::unsupported, 2, "tabulated dihedral"},
    Function{Directive::dihedrals, 9, Kind::proper_dihedral, 3, "proper dihedral (multiple)"},
    Function{Directive::dihedrals, 10, Kind::restricted_dihedral, 2, "restricted dihedral"},
    Function{Directive::dihedrals, 11, Kind::bending_torsion, 6, "combined bending-torsion"},
    Function{Directive::cmap, 1, Kind::cmap, 0, "CMAP"},
    Function{Directive::constraints, 1, Kind::constraint, 1, "constraint"},
    Function{Directive::constraints, 2, Kind::unbonded_constraint, 1, "constraint without exclusions"},
    Function{Directive::settles, 1, Kind::settle, 2, "SETTLE"},
    Function{Directive::pairs, 1, Kind::pair, 2, "1-4 pair"},
    Function{Directive::pairs, 2, Kind::pair_with_charges, 5, "1-4 pair with charges"},
    Function{Directive::pairs_nb, 1, Kind::plain_pair, 4, "non-bonded pair"},
    Function{Directive::angle_restraints, 1, Kind::angle_restraint, 3, "angle restraint"},
    Function{Directive::angle_restraints_z, 1, Kind::angle_restraint_z, 3, "angle restraint"},
    Function{Directive::dihedral_restraints, 1, Kind::dihedral_restraint, 3, "dihedral restraint"},
    Function{Directive::distance_restraints, 1, Kind::distance_restraint, 6, "distance restraint"},
    Function{Directive::position_restraints, 1, Kind::position_restraint, 3, "position restraint"},
    Function{Directive::position_restraints, 2, Kind::flat_position_restraint, 3, "flat-bottomed position restraint"},
};

/// The directive of a molecule whose function numbers a type table uses.
Directive family(Directive directive) {
    switch (directive) {
        case Directive::bondtypes:
            return Directive::bonds;
        case Directive::constrainttypes:
            return Directive::constraints;
        case Directive::angletypes:
            return Directive::angles;
        case Directive::dihedraltypes:
            return Directive::dihedrals;
        case Directive::pairtypes:
            return Directive::pairs;
        default:
            return directive;
    }
}

}  // namespace

std::optional<DirectiveInfo> find_directive(std::string_view name) {
    for (const DirectiveInfo& info : directives) {
        if (same_name(info.name, name)) return info;
    }
    return std::nullopt;
}

std::string_view nearest_directive(std::string_view name) {
    const auto nearer = [&](const DirectiveInfo& a, const DirectiveInfo& b) {
        return edit_distance(a.name, name) < edit_distance(b.name, name);
    };
    return std::min_element(directives.begin(), directives.end(), nearer)->name;
}

std::string_view name_of(Directive directive) {
    for (const DirectiveInfo& info : directives) {
        if (info.directive == directive) return info.name;
    }
    return {};
}

const Function* find_function(Directive directive, int number) {
    for (const Function& function : functions) {
        if (function.directive == family(directive) && function.number == number) return &function;
    }
    return nullptr;
}

int atoms_of(Directive directive) {
    switch (family(directive)) {
        case Directive::settles:
        case Directive::position_restraints:
            return 1;
        case Directive::angles:
            return 3;
        case Directive::dihedrals:
        case Directive::angle_restraints:
        case Directive::dihedral_restraints:
            return 4;
        case Directive::cmap:
            return 5;
        default:
            return 2;
    }
}

bool is_chemical_bond(Directive directive, int function) {
    // Manual 2022, section "Exclusions" and the marks of that table: all bonds but the harmonic potential (6), the
    // table without exclusion (9) and the restraint (10); constraints of type 1.
    if (directive == Directive::constraints) return function == 1;
    return directive == Directive::bonds && function != 6 && function != 9 && function != 10;
}

}  // namespace mdsim::gromacs
