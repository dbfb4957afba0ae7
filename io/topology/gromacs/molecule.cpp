// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/molecule.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "io/topology/gromacs/exclusions.h"
#include "io/topology/gromacs/fields.h"
#include "system/preparation/elements.h"

namespace mdsim::gromacs {

namespace {
constexpr std::size_t atom_fields = 6;  // number, type, residue number, residue, name, charge group
}

Molecule::Molecule(Fields fields, Origin origin, const Tables& tables, Report& report)
    : origin_(origin), tables_(tables), report_(report) {
    type_.name = std::string(fields.front());
    const auto bonds = fields.size() == 2 ? to_integer(fields[1]) : std::nullopt;
    if (!bonds || *bonds < 0) {
        report_.add(origin, "MD224",
                    "[ moleculetype ]: expected a name and the number of bonds over which atoms are excluded");
    }
    exclusion_bonds_ = std::max(bonds.value_or(0), 0);
}

void Molecule::refuse(Origin origin, std::string what, std::string why) {
    add_refused({origin, "MD229", std::move(what), std::move(why)});
}

void Molecule::add_refused(Refused refused) {
    const auto same = [&](const Refused& other) { return other.what == refused.what; };
    if (std::none_of(refused_.begin(), refused_.end(), same)) refused_.push_back(std::move(refused));
}

void Molecule::report_refused() const {
    for (const Refused& refused : refused_) report_.add(refused.origin, refused.code, refused.what, refused.why);
}

void Molecule::read(Directive directive, Fields fields, Origin origin, bool leap_order) {
    switch (directive) {
        case Directive::atoms:
            read_atom(fields, origin);
            break;
        case Directive::exclusions:
            read_exclusions(fields, origin);
            break;
        case Directive::cmap:
            read_cmap(fields, origin);
            break;
        case Directive::virtual_sites1:
        case Directive::virtual_sites2:
        case Directive::virtual_sites3:
        case Directive::virtual_sites4:
        case Directive::virtual_sitesn:
            read_virtual_site(directive, fields, origin);
            break;
        default:
            read_term(directive, fields, origin, leap_order);
            break;
    }
}

bool Molecule::read_residue(std::string_view number, std::string_view name, Origin origin) {
    char code = ' ';
    std::string_view digits = number;
    if (digits.size() > 1 && std::isalpha(static_cast<unsigned char>(digits.back())) != 0) {
        code = digits.back();
        digits.remove_suffix(1);
    }
    const auto value = to_integer(digits);
    if (!value) {
        report_.add(origin, "MD224", fmt::format("[ atoms ]: \"{}\" is no residue number", number));
        return false;
    }
    const Residue residue{.name = std::string(name), .number = *value, .chain = {}, .insertion = code};
    if (type_.residues.empty() || type_.residues.back() != residue) type_.residues.push_back(residue);
    return true;
}

void Molecule::check_particle(const AtomType& type, const Atom& atom, Origin origin) {
    if (type.particle == 'A' || type.particle == 'V' || type.particle == 'D') return;
    refuse(origin, "[ atoms ]: particles other than atoms and virtual sites are not supported",
           fmt::format("atom {} has the type {}, whose particle type is {}", atom.name, type.name, type.particle));
}

void Molecule::read_atom(Fields fields, Origin origin) {
    if (fields.size() < atom_fields) {
        report_.add(origin, "MD224",
                    "[ atoms ]: expected number, type, residue number, residue, atom name, charge group [charge mass]");
        return;
    }
    const int number = type_.size() + 1;
    if (to_integer(fields[0]) != number) {
        report_.add(origin, "MD224", fmt::format("[ atoms ]: atom \"{}\" where number {} is due", fields[0], number),
                    "atoms of a molecule are numbered from 1 without gaps");
    }
    Atom atom{.name = std::string(fields[4])};
    // Whatever is wrong with it, the atom keeps its place, so that later lines find theirs.
    const int index = tables_.find_atom_type(fields[1]);
    AtomType type;
    if (index >= 0) {
        type = tables_.atom_types()[static_cast<std::size_t>(index)];
        atom.type = index;
        atom.charge = type.charge;
        atom.mass = type.mass;
    } else {
        atom.type = -1;
        report_.add(origin, "MD226", fmt::format("[ atoms ]: unknown atom type \"{}\"", fields[1]),
                    "it is not in [ atomtypes ]", "include the force field that has it before the molecule");
    }
    for (std::size_t i = atom_fields; i < std::min(fields.size(), atom_fields + 2); ++i) {
        const auto value = to_number(fields[i]);
        if (!value) report_.add(origin, "MD224", fmt::format("[ atoms ]: \"{}\" is not a number", fields[i]));
        (i == atom_fields ? atom.charge : atom.mass) = value.value_or(1.0);
    }
    if (read_residue(fields[2], fields[3], origin)) atom.residue = static_cast<int>(type_.residues.size()) - 1;
    if (index >= 0) check_particle(type, atom, origin);
    if (index >= 0 && fields.size() > atom_fields + 2) read_state_b(fields.subspan(atom_fields + 2), atom, origin);
    atom.element = type.element > 0 ? type.element : element_from_mass(atom.mass);
    type_.atoms.push_back(std::move(atom));
    atom_sources_.push_back({origin, type.particle});
}

void Molecule::read_state_b(Fields fields, const Atom& atom, Origin origin) {
    const AtomType& type = tables_.atom_types()[static_cast<std::size_t>(atom.type)];
    const bool same = fields.size() <= 3 && fields[0] == type.name &&
                      (fields.size() < 2 ? type.charge == atom.charge : to_number(fields[1]) == atom.charge) &&
                      (fields.size() < 3 ? type.mass == atom.mass : to_number(fields[2]) == atom.mass);
    if (same) return;
    refuse(origin, "[ atoms ]: B-state columns (typeB, chargeB, massB) are not supported",
           fmt::format("those of atom {} begin with \"{}\" and differ from its state A", atom.name, fields[0]));
}

void Molecule::read_exclusions(Fields fields, Origin origin) {
    std::vector<int> atoms;
    for (const std::string_view field : fields) {
        const auto atom = to_integer(field);
        if (!atom || *atom < 1 || *atom > type_.size()) {
            report_.add(origin, "MD224",
                        fmt::format("[ exclusions ]: \"{}\" is not one of the {} atoms of {}", field, type_.size(),
                                    type_.name));
            return;
        }
        atoms.push_back(*atom - 1);
    }
    for (std::size_t k = 1; k < atoms.size(); ++k) {
        if (atoms[k] != atoms[0]) {
            explicit_exclusions_.push_back({std::min(atoms[0], atoms[k]), std::max(atoms[0], atoms[k])});
        }
    }
}

// `atoms` come in as -1; those behind the directive's number of atoms stay so.
bool Molecule::read_atoms(Directive directive, Fields fields, Origin origin, std::span<int> atoms) {
    const auto count = static_cast<std::size_t>(atoms_of(directive));
    if (fields.size() < count) {
        report_.add(origin, "MD224", fmt::format("[ {} ]: expected {} atom numbers", name_of(directive), count));
        return false;
    }
    for (std::size_t k = 0; k < count; ++k) {
        const auto number = to_integer(fields[k]);
        if (!number || *number < 1 || *number > type_.size()) {
            report_.add(origin, "MD224",
                        fmt::format("[ {} ]: \"{}\" is not one of the {} atoms of {}", name_of(directive), fields[k],
                                    type_.size(), type_.name),
                        "", "check that the directive stands below the right [ moleculetype ]");
            return false;
        }
        // An angle between two vectors may have one atom in both of them, as in GROMACS.
        const std::size_t others = directive == Directive::angle_restraints ? k - k % 2 : 0;
        if (std::find(atoms.begin() + static_cast<std::ptrdiff_t>(others), atoms.end(), *number - 1) != atoms.end()) {
            report_.add(origin, "MD224", fmt::format("[ {} ]: atom {} is named twice", name_of(directive), *number));
            return false;
        }
        atoms[k] = *number - 1;
    }
    return true;
}

MoleculeType Molecule::finish() {
    check_sites();
    type_.exclusions = bonded_neighbours(type_.size(), chemical_bonds_, exclusion_bonds_);
    type_.exclusions.insert(type_.exclusions.end(), explicit_exclusions_.begin(), explicit_exclusions_.end());
    std::sort(type_.exclusions.begin(), type_.exclusions.end());
    type_.exclusions.erase(std::unique(type_.exclusions.begin(), type_.exclusions.end()), type_.exclusions.end());
    return std::move(type_);
}

}  // namespace mdsim::gromacs
