// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/topology/amber/terms.h"
#include "system/preparation/elements.h"

namespace mdsim::amber {

namespace {

/// AMBER's charges are in units of e/18.2223, so that q*q/r is in kcal/mol with r in Angstrom
/// ("Amber file formats", section CHARGE).
constexpr double charge_unit = 18.2223;

constexpr double angstrom6 = 1e-6;    // Angstrom^6 in nm^6
constexpr double angstrom12 = 1e-12;  // Angstrom^12 in nm^12

struct LjTable {
    std::vector<double> a, b;
};

LjTable read_table(const PrmtopFile& file, const std::string& prefix, const Pointers& pointers) {
    const std::int64_t count = std::int64_t{pointers.types} * (pointers.types + 1) / 2;
    return {file.reals(prefix + "_ACOEF", count), file.reals(prefix + "_BCOEF", count)};
}

// Negative indices point to 10-12 terms. Old force fields have them with all coefficients zero.
void check_10_12(const PrmtopFile& file, int index, const std::vector<double>& a, const std::vector<double>& b) {
    const std::size_t at = static_cast<std::size_t>(-index) - 1;
    if (at >= a.size()) {
        file.refuse(file.place("NONBONDED_PARM_INDEX"), fmt::format("index {} is beyond HBOND_ACOEF", index));
    }
    if (a[at] == 0.0 && b[at] == 0.0) return;
    file.refuse(file.place("HBOND_ACOEF", static_cast<std::int64_t>(at)),
                "a 10-12 hydrogen-bond term with coefficients that are not zero: mdsim does not compute those",
                "forces without it would be wrong", "use a force field of 1994 or later, which has no 10-12 terms");
}

std::vector<LjParameters> pair_table(const PrmtopFile& file, const Pointers& pointers, const LjTable& table) {
    const std::int64_t pairs = std::int64_t{pointers.types} * pointers.types;
    const std::vector<int> indices = file.integers("NONBONDED_PARM_INDEX", pairs);
    const std::vector<double> hbond_a = file.reals("HBOND_ACOEF", pointers.hbond_types);
    const std::vector<double> hbond_b = file.reals("HBOND_BCOEF", pointers.hbond_types);
    std::vector<LjParameters> lj(static_cast<std::size_t>(pairs));
    for (std::size_t n = 0; n < lj.size(); ++n) {
        if (indices[n] < 0) check_10_12(file, indices[n], hbond_a, hbond_b);
        if (indices[n] <= 0) continue;
        const std::size_t at = static_cast<std::size_t>(indices[n]) - 1;
        if (at >= table.a.size()) {
            file.refuse(
                file.place("NONBONDED_PARM_INDEX", static_cast<std::int64_t>(n)),
                fmt::format("index {} is beyond the {} values of LENNARD_JONES_ACOEF", indices[n], table.a.size()));
        }
        lj[n] = {table.b[at] * units::kcal * angstrom6, table.a[at] * units::kcal * angstrom12};
    }
    return lj;
}

void name_types(const PrmtopFile& file, const Pointers& pointers, ForceField& force_field) {
    force_field.type_names.assign(static_cast<std::size_t>(pointers.types), "");
    const std::vector<int> types = file.integers("ATOM_TYPE_INDEX", pointers.atoms);
    std::vector<std::string> names(types.size());
    if (file.has("AMBER_ATOM_TYPE")) names = file.words("AMBER_ATOM_TYPE", pointers.atoms);
    for (std::size_t i = 0; i < types.size(); ++i) {
        if (types[i] < 1 || types[i] > pointers.types) {
            file.refuse(file.place("ATOM_TYPE_INDEX", static_cast<std::int64_t>(i)),
                        fmt::format("atom type {} of atom {}: types count from 1 to NTYPES = {}", types[i], i + 1,
                                    pointers.types));
        }
        std::string& name = force_field.type_names[static_cast<std::size_t>(types[i]) - 1];
        if (name.empty()) name = names[i];
    }
    for (std::size_t t = 0; t < force_field.type_names.size(); ++t) {
        if (force_field.type_names[t].empty()) force_field.type_names[t] = fmt::format("type{}", t + 1);
    }
}

bool named_hydrogen(const Atom& atom) {
    const std::size_t letter = atom.name.find_first_not_of("0123456789");
    return letter != std::string::npos && atom.name[letter] == 'H' && atom.mass < 5.0;
}

constexpr double much_moved = 8.2;  // [u]: four hydrogens that got two each, or four in a united atom

// By the name, of one letter ("CA" in a protein) or two ("CA" of 40 u), with the mass as check: united atoms, and heavy
// atoms whose hydrogens got their mass, are near the name's element only. Else (ions named IP or C0) by the mass alone.
int element_of(const Atom& atom, double mass) {
    const std::size_t letter = std::min(atom.name.find_first_not_of("0123456789"), atom.name.size());
    const int one = element_from_symbol(atom.name.substr(letter, 1)),
              two = element_from_symbol(atom.name.substr(letter, 2));
    for (const int z : {one, two}) {
        if (z > 0 && z == element_from_mass(mass)) return z;
    }
    const bool organic = one == 6 || one == 7 || one == 8 || one == 15 || one == 16;
    if (organic && std::abs(element_mass(one) - mass) < much_moved) return one;
    return element_from_mass(mass);
}

void read_residues(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole) {
    const std::vector<std::string> names = file.words("RESIDUE_LABEL", pointers.residues);
    const std::vector<int> first = file.integers("RESIDUE_POINTER", pointers.residues);
    for (std::size_t r = 0; r < first.size(); ++r) {
        const int end = r + 1 < first.size() ? first[r + 1] : pointers.atoms + 1;
        if (first[r] < 1 || end <= first[r] || end > pointers.atoms + 1 || first[0] != 1) {
            file.refuse(
                file.place("RESIDUE_POINTER", static_cast<std::int64_t>(r)),
                fmt::format("residue {} would be atoms {} to {} of {}", r + 1, first[r], end - 1, pointers.atoms));
        }
        whole.residues.push_back({names[r], static_cast<int>(r) + 1, {}});
        for (int atom = first[r]; atom < end; ++atom) {
            whole.atoms[static_cast<std::size_t>(atom) - 1].residue = static_cast<int>(r);
        }
    }
    if (first.empty()) file.refuse(file.place("POINTERS", 11), "POINTERS says NRES = 0: there are no residues");
}

void check_mass(const PrmtopFile& file, const std::string& name, double mass, std::size_t i) {
    if (mass >= 0.0) return;
    file.refuse(file.place("MASS", static_cast<std::int64_t>(i)),
                fmt::format("atom {} ({}) has the mass {}", i + 1, name, mass), {},
                "every atom needs a mass above zero, an extra point the mass 0");
}

}  // namespace

ForceField read_force_field(const PrmtopFile& file, const Pointers& pointers) {
    ForceField force_field;
    // Also for chamber: its charges are scaled so that AMBER's constant gives CHARMM's energies.
    force_field.source = ForceFieldSource::amber;
    force_field.coulomb_constant = units::coulomb_amber;
    name_types(file, pointers, force_field);
    force_field.lj = pair_table(file, pointers, read_table(file, "LENNARD_JONES", pointers));
    return force_field;
}

std::vector<LjParameters> read_lj14(const PrmtopFile& file, const Pointers& pointers, const ForceField& force_field) {
    if (!file.has("LENNARD_JONES_14_ACOEF")) return force_field.lj;
    return pair_table(file, pointers, read_table(file, "LENNARD_JONES_14", pointers));
}

void read_atoms(const PrmtopFile& file, const Pointers& pointers, MoleculeType& whole) {
    const std::vector<std::string> names = file.words("ATOM_NAME", pointers.atoms);
    const std::vector<double> charges = file.reals("CHARGE", pointers.atoms);
    const std::vector<double> masses = file.reals("MASS", pointers.atoms);
    const std::vector<int> types = file.integers("ATOM_TYPE_INDEX", pointers.atoms);
    std::vector<int> elements;
    if (file.has("ATOMIC_NUMBER")) elements = file.integers("ATOMIC_NUMBER", pointers.atoms);
    whole.atoms.resize(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        check_mass(file, names[i], masses[i], i);
        Atom& atom = whole.atoms[i];
        atom.name = names[i];
        atom.type = types[i] - 1;
        const bool known = !elements.empty() && elements[i] > 0 && elements[i] <= element_count;
        atom.element = known ? elements[i] : 0;
        atom.charge = charges[i] / charge_unit;
        atom.mass = masses[i];
    }
    read_residues(file, pointers, whole);
}

void guess_elements(MoleculeType& whole) {
    std::vector<double> mass;
    mass.reserve(whole.atoms.size());
    for (const Atom& atom : whole.atoms) mass.push_back(atom.mass);
    for (const Bond& bond : whole.bonds) {
        const Atom& i = whole.atoms[static_cast<std::size_t>(bond.i)];
        const Atom& j = whole.atoms[static_cast<std::size_t>(bond.j)];
        if (named_hydrogen(i) == named_hydrogen(j)) continue;
        const bool i_is_heavy = named_hydrogen(j);
        mass[static_cast<std::size_t>(i_is_heavy ? bond.i : bond.j)] +=
            (i_is_heavy ? j.mass : i.mass) - element_mass(1);
    }
    for (std::size_t n = 0; n < mass.size(); ++n) {
        Atom& atom = whole.atoms[n];
        if (atom.element == 0 && atom.mass != 0.0) atom.element = named_hydrogen(atom) ? 1 : element_of(atom, mass[n]);
    }
}

}  // namespace mdsim::amber
