// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"
#include "io/topology/gromacs/fields.h"
#include "io/topology/gromacs/molecule.h"

namespace mdsim::gromacs {

namespace {

double radians(double degrees) {
    return degrees * units::pi / 180.0;
}

Exclusion ordered(int i, int j) {
    return {std::min(i, j), std::max(i, j)};
}

/// 1/2 [F1 (1 + cos phi) + F2 (1 - cos 2 phi) + F3 (1 + cos 3 phi) + F4 (1 - cos 4 phi)] as powers of cos(phi - pi).
/// GROMACS Reference Manual 2022, "Proper dihedrals: Fourier function", eq. for C0 ... C5.
Values fourier_as_powers(const Values& f) {
    return {f[1] + 0.5 * (f[0] + f[2]), 0.5 * (3.0 * f[2] - f[0]), 4.0 * f[3] - f[1], -2.0 * f[2], -4.0 * f[3], 0.0};
}

bool all_zero(const Values& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value == 0.0; });
}

}  // namespace

void Molecule::read_term(Directive directive, Fields fields, Origin origin, bool leap_order) {
    std::array<int, 4> atoms{-1, -1, -1, -1};
    if (!read_atoms(directive, fields, origin, atoms)) return;
    const auto count = static_cast<std::size_t>(atoms_of(directive));
    // Without a number the function is 1, as in GROMACS.
    const auto number = fields.size() > count ? to_integer(fields[count]) : std::optional<int>(1);
    const Function* function = number ? find_function(directive, *number) : nullptr;
    if (function == nullptr) {
        report_.add(origin, "MD225", fmt::format("[ {} ]: unknown function \"{}\"", name_of(directive), fields[count]));
        return;
    }
    if (is_chemical_bond(directive, *number)) chemical_bonds_.push_back(ordered(atoms[0], atoms[1]));
    if (function->kind == Kind::unsupported) {
        refuse(origin,
               fmt::format("[ {} ]: function {} ({}) is not supported", name_of(directive), *number, function->name),
               "it needs the tables that mdrun reads from table_*.xvg files; mdsim computes formulas only");
        return;
    }
    add_term({directive, function, atoms, fields.subspan(std::min(count + 1, fields.size())), origin, leap_order});
}

void Molecule::add_term(const Term& term) {
    const Kind kind = term.function->kind;
    if (kind == Kind::pair || kind == Kind::pair_with_charges) return add_pair(term);
    std::vector<Values> found;
    if (!term.parameters.empty() || term.function->parameters == 0) {
        const auto own = read_parameters(term.directive, *term.function, term.parameters, term.origin, report_);
        if (own) found.push_back(*own);
    } else {
        found = parameters_from_tables(term);
    }
    for (const Values& values : found) {
        if (add_rare_form(term, values)) continue;
        switch (term.directive) {
            case Directive::angles:
                add_angle(term, values);
                break;
            case Directive::dihedrals:
                add_dihedral(term, values);
                break;
            case Directive::settles:
                add_settle(term, values);
                break;
            default:
                add_two_atom_term(term, values);
                break;
        }
    }
}

bool Molecule::types_known(std::span<const int> atoms) const {
    return std::all_of(atoms.begin(), atoms.end(),
                       [&](int atom) { return atom < 0 || type_.atoms[static_cast<std::size_t>(atom)].type >= 0; });
}

std::vector<Values> Molecule::parameters_from_tables(const Term& term) {
    if (!types_known(term.atoms)) return {};  // told already
    BondedTypes types{-1, -1, -1, -1};
    std::string names;
    const auto count = static_cast<std::size_t>(atoms_of(term.directive));
    for (std::size_t k = 0; k < count; ++k) {
        const auto& atom = type_.atoms[static_cast<std::size_t>(term.atoms[k])];
        const AtomType& type = tables_.atom_types()[static_cast<std::size_t>(atom.type)];
        types[k] = type.bonded;
        names += fmt::format("{}{} ({})", k == 0 ? "" : ", ", atom.name, type.name);
    }
    if (term.leap_order && term.function->kind == Kind::periodic_improper) {
        refuse(term.origin, "[ dihedrals ]: impropers by type in LEaP's order of atoms are not supported",
               "the force field defines _FF_AMBER_LEAP_ATOM_REORDERING");
    }
    std::vector<Values> out;
    for (const BondedParameters& line : tables_.find(term.function->kind, types)) out.push_back(line.values);
    if (out.empty()) {
        report_.add(
            term.origin, "MD230",
            fmt::format("[ {} ]: no parameters for the {} {}", name_of(term.directive), term.function->name, names),
            "the line has none and no type table of the force field fits",
            "write them behind the function number, or include a force field that has them");
    }
    return out;
}

void Molecule::read_cmap(Fields fields, Origin origin) {
    std::array<int, 5> atoms{-1, -1, -1, -1, -1};
    if (!read_atoms(Directive::cmap, fields, origin, atoms)) return;
    if (fields.size() != atoms.size() + 1 ||
        find_function(Directive::cmap, to_integer(fields.back()).value_or(0)) == nullptr) {
        report_.add(origin, "MD224", "[ cmap ]: expected five atom numbers and the function number 1");
        return;
    }
    if (!types_known(atoms)) return;  // told already
    std::array<CmapAtom, 5> wanted{};
    std::string names;
    for (std::size_t k = 0; k < atoms.size(); ++k) {
        const Atom& atom = type_.atoms[static_cast<std::size_t>(atoms[k])];
        const AtomType& type = tables_.atom_types()[static_cast<std::size_t>(atom.type)];
        wanted[k] = {type.bonded, type_.residues[static_cast<std::size_t>(atom.residue)].name};
        names += fmt::format("{}{} ({})", k == 0 ? "" : ", ", atom.name, type.name);
    }
    const int grid = tables_.cmap_types().find(wanted);
    if (grid < 0) {
        report_.add(origin, "MD230", fmt::format("[ cmap ]: no grid for {}", names), "no line of [ cmaptypes ] fits",
                    "include a force field that has it");
        return;
    }
    type_.cmaps.push_back(Cmap::of_five(atoms[0], atoms[1], atoms[2], atoms[3], atoms[4], grid));
}

void Molecule::add_pair(const Term& term) {
    const int i = term.atoms[0], j = term.atoms[1];
    const Atom& a = type_.atoms[static_cast<std::size_t>(i)];
    const Atom& b = type_.atoms[static_cast<std::size_t>(j)];
    Pair14 pair{i, j, {}, (tables_.defaults() ? tables_.defaults()->fudge_qq : 1.0) * a.charge * b.charge};
    Fields own = term.parameters;
    const bool charges = term.function->kind == Kind::pair_with_charges;
    if (charges && own.size() == 1) {
        // fudgeQQ alone; charges and Lennard-Jones as for any pair.
        const auto fudge = to_number(own[0]);
        if (!fudge) report_.add(term.origin, "MD224", fmt::format("[ pairs ]: \"{}\" is not a number", own[0]));
        pair.charge_product = fudge.value_or(1.0) * a.charge * b.charge;
        own = {};
    }
    if (own.empty() && !types_known(term.atoms)) return;
    if (own.empty()) {
        const auto lj = tables_.pair14(a.type, b.type);
        if (!lj) {
            report_.add(term.origin, "MD230",
                        fmt::format("[ pairs ]: no parameters for the pair {}, {}", a.name, b.name),
                        "they are not in [ pairtypes ] and gen-pairs of [ defaults ] is not \"yes\"",
                        "write them behind the function number");
            return;
        }
        pair.lj = *lj;
    } else {
        const auto values = read_parameters(term.directive, *term.function, own, term.origin, report_);
        if (!values) return;
        const Values& p = *values;  // [fudgeQQ, q_i, q_j,] and two of Lennard-Jones
        if (charges) pair.charge_product = p[0] * p[1] * p[2];
        pair.lj = tables_.convert(charges ? VanDerWaals{p[3], p[4]} : VanDerWaals{p[0], p[1]});
    }
    type_.pairs14.push_back(pair);
}

void Molecule::add_settle(const Term& term, const Values& values) {
    const int oxygen = term.atoms[0];
    if (oxygen + 2 >= type_.size()) {
        report_.add(term.origin, "MD224",
                    fmt::format("[ settles ]: atom {} of {} has no two hydrogens behind it", oxygen + 1, type_.name));
        return;
    }
    if (values[0] <= 0.0 || values[1] <= 0.0 || values[1] >= 2.0 * values[0]) {
        report_.add(term.origin, "MD224",
                    fmt::format("[ settles ]: the distances {} and {} nm make no triangle", values[0], values[1]));
        return;
    }
    type_.settles.push_back({oxygen, oxygen + 1, oxygen + 2, values[0], values[1]});
    for (const int hydrogen : {oxygen + 1, oxygen + 2}) {
        chemical_bonds_.push_back({oxygen, hydrogen});
        type_.connections.push_back({oxygen, hydrogen});
    }
}

void Molecule::add_two_atom_term(const Term& term, const Values& values) {
    const int i = term.atoms[0], j = term.atoms[1];
    switch (term.function->kind) {
        case Kind::bond:
            type_.bonds.push_back({i, j, values[1], values[0]});
            break;
        case Kind::g96_bond:
            type_.g96_bonds.push_back({i, j, values[1], values[0]});
            type_.connections.push_back(ordered(i, j));
            break;
        case Kind::connection:
            type_.connections.push_back(ordered(i, j));
            break;
        // The same formula as Urey-Bradley's, and like it no chemical bond: must not be taken for one when bonds are
        // constrained.
        case Kind::harmonic_potential:
            type_.urey_bradleys.push_back({i, j, values[1], values[0]});
            break;
        case Kind::constraint:
        case Kind::unbonded_constraint:
            if (values[0] <= 0.0) {
                report_.add(term.origin, "MD224", fmt::format("[ constraints ]: a length of {} nm", values[0]));
            }
            type_.constraints.push_back({i, j, values[0]});
            break;
        case Kind::position_restraint:
            type_.position_restraints.push_back({i, values[0], values[1], values[2]});
            break;
        default:
            break;
    }
}

void Molecule::add_angle(const Term& term, const Values& values) {
    if (all_zero(values)) return;
    const int i = term.atoms[0], j = term.atoms[1], k = term.atoms[2];
    switch (term.function->kind) {
        case Kind::angle:
            type_.angles.push_back({i, j, k, values[1], radians(values[0])});
            break;
        case Kind::g96_angle:
            type_.g96_angles.push_back({i, j, k, values[1], std::cos(radians(values[0]))});
            break;
        case Kind::urey_bradley:
            type_.angles.push_back({i, j, k, values[1], radians(values[0])});
            if (values[3] != 0.0) type_.urey_bradleys.push_back({i, k, values[3], values[2]});
            break;
        default:
            break;
    }
}

void Molecule::add_periodic(const Term& term, const Values& values) {
    const auto& [i, j, k, l] = term.atoms;
    const double n = std::round(values[2]);
    if (std::abs(values[2] - n) > 1e-6 || std::abs(n) > 100.0) {
        report_.add(term.origin, "MD224",
                    fmt::format("[ dihedrals ]: the multiplicity {} is no small whole number", values[2]));
        return;
    }
    // cos(-n phi - phase) = cos(n phi + phase)
    const double sign = n < 0.0 ? -1.0 : 1.0;
    const PeriodicDihedral dihedral{i, j, k, l, static_cast<int>(sign * n), values[1], sign * radians(values[0])};
    if (values[1] == 0.0) return;  // no energy; GROMACS leaves it out as well
    const bool proper = term.function->kind == Kind::proper_dihedral;
    (proper ? type_.proper_dihedrals : type_.improper_dihedrals).push_back(dihedral);
}

void Molecule::add_dihedral(const Term& term, const Values& values) {
    if (all_zero(values)) return;
    const auto& [i, j, k, l] = term.atoms;
    switch (term.function->kind) {
        case Kind::harmonic_improper:
            type_.harmonic_impropers.push_back({i, j, k, l, values[1], radians(values[0])});
            break;
        case Kind::ryckaert_bellemans:
        case Kind::fourier_dihedral: {
            const Values c = term.function->kind == Kind::fourier_dihedral ? fourier_as_powers(values) : values;
            type_.ryckaert_bellemans.push_back({i, j, k, l, {c[0], c[1], c[2], c[3], c[4], c[5]}});
            break;
        }
        default:
            add_periodic(term, values);
            break;
    }
}

}  // namespace mdsim::gromacs
