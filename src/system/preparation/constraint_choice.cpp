// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/constraint_choice.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

const Atom& atom_of(const MoleculeType& type, int i) {
    return type.atoms[static_cast<std::size_t>(i)];
}

struct WaterAtoms {
    int oxygen, hydrogen1, hydrogen2;
};

bool is_site(const MoleculeType& type, int i) {
    return std::any_of(type.virtual_sites.begin(), type.virtual_sites.end(),
                       [i](const VirtualSite& site) { return site.i == i; });
}

// Four- and five-site water is three atoms as well.
std::optional<WaterAtoms> water_atoms(const MoleculeType& type) {
    if (type.size() != 3 + static_cast<int>(type.virtual_sites.size())) return std::nullopt;
    std::vector<int> atoms;
    for (int i = 0; i < type.size(); ++i) {
        if (!is_site(type, i)) atoms.push_back(i);
    }
    for (std::size_t n = 0; n < 3; ++n) {
        const int o = atoms[n], h1 = atoms[n == 0 ? 1 : 0], h2 = atoms[n == 2 ? 1 : 2];
        const Atom& oxygen = atom_of(type, o);
        // By name as well: elements that a reader guessed from masses are wrong where water was repartitioned.
        const bool is_oxygen = oxygen.element == 8 || (!oxygen.name.empty() && std::toupper(oxygen.name[0]) == 'O');
        if (is_oxygen && is_hydrogen(atom_of(type, h1)) && is_hydrogen(atom_of(type, h2))) return WaterAtoms{o, h1, h2};
    }
    return std::nullopt;
}

bool joins(int i, int j, int a, int b) {
    return (i == a && j == b) || (i == b && j == a);
}

// The length of the bond or constraint between a and b, if there is one.
std::optional<double> fixed_length(const MoleculeType& type, int a, int b) {
    for (const Constraint& c : type.constraints) {
        if (joins(c.i, c.j, a, b)) return c.length;
    }
    return std::nullopt;
}

std::optional<double> bond_length(const MoleculeType& type, int a, int b) {
    for (const Bond& bond : type.bonds) {
        if (joins(bond.i, bond.j, a, b)) return bond.r0;
    }
    for (const G96Bond& bond : type.g96_bonds) {
        if (joins(bond.i, bond.j, a, b)) return bond.r0;
    }
    return fixed_length(type, a, b);
}

std::optional<double> hydrogen_distance(const MoleculeType& type, const WaterAtoms& w, double oh) {
    if (const auto hh = bond_length(type, w.hydrogen1, w.hydrogen2)) return hh;
    for (const Angle& angle : type.angles) {
        if (angle.j == w.oxygen && joins(angle.i, angle.k, w.hydrogen1, w.hydrogen2)) {
            return 2.0 * oh * std::sin(0.5 * angle.theta0);
        }
    }
    for (const G96Angle& angle : type.g96_angles) {
        if (angle.j == w.oxygen && joins(angle.i, angle.k, w.hydrogen1, w.hydrogen2)) {
            return 2.0 * oh * std::sqrt(0.5 * (1.0 - angle.cos_theta0));  // the sine of half the angle
        }
    }
    return std::nullopt;
}

void leave_connection(MoleculeType& type, int i, int j) {
    const Exclusion pair{std::min(i, j), std::max(i, j)};
    const auto& all = type.connections;
    if (std::find(all.begin(), all.end(), pair) == all.end()) type.connections.push_back(pair);
}

// Replaces all that holds a water together by one Settle, where SETTLE's symmetry is given.
bool make_rigid(MoleculeType& type, const WaterAtoms& w) {
    const auto oh1 = bond_length(type, w.oxygen, w.hydrogen1);
    const auto oh2 = bond_length(type, w.oxygen, w.hydrogen2);
    if (!oh1 || !oh2 || std::abs(*oh1 - *oh2) > 1e-9) return false;
    const auto hh = hydrogen_distance(type, w, *oh1);
    if (!hh || *hh >= 2.0 * *oh1) return false;
    type.bonds.clear();
    type.angles.clear();
    type.g96_bonds.clear();
    type.g96_angles.clear();
    type.urey_bradleys.clear();
    type.constraints.clear();
    type.settles = {{w.oxygen, w.hydrogen1, w.hydrogen2, *oh1, *hh}};
    leave_connection(type, w.oxygen, w.hydrogen1);
    leave_connection(type, w.oxygen, w.hydrogen2);
    return true;
}

bool rigid_by_file(const MoleculeType& type, const WaterAtoms& w) {
    return fixed_length(type, w.oxygen, w.hydrogen1) && fixed_length(type, w.oxygen, w.hydrogen2) &&
           fixed_length(type, w.hydrogen1, w.hydrogen2);
}

// Turns the bonds of one kind into constraints; returns how many.
template <class B>
std::size_t constrain(MoleculeType& type, std::vector<B>& bonds, ConstraintChoice choice) {
    const auto chosen = [&](const B& bond) {
        if (is_site(type, bond.i) || is_site(type, bond.j)) return false;
        return choice == ConstraintChoice::all_bonds || is_hydrogen(atom_of(type, bond.i)) ||
               is_hydrogen(atom_of(type, bond.j));
    };
    std::size_t made = 0;
    for (const B& bond : bonds) {
        if (!chosen(bond)) continue;
        if (!fixed_length(type, bond.i, bond.j)) {
            type.constraints.push_back({bond.i, bond.j, bond.r0});
            ++made;
        }
        leave_connection(type, bond.i, bond.j);
    }
    std::erase_if(bonds, chosen);
    return made;
}

// The length at which a bond of a rare form has no force; nothing where there is none, or the term is no bond.
std::optional<double> rest_length(const TwoAtomTerm& term) {
    if (term.form == TwoAtomForm::morse) return term.p[2];
    if (term.form == TwoAtomForm::cubic) return term.p[1];
    return std::nullopt;
}

std::size_t constrain_rare_bonds(MoleculeType& type, ConstraintChoice choice) {
    std::vector<Bond> bonds;
    for (const TwoAtomTerm& term : type.two_atom_terms) {
        if (const auto length = rest_length(term)) bonds.push_back({term.i, term.j, 0.0, *length});
    }
    const std::size_t made = constrain(type, bonds, choice);
    // Bonds that are left stay as they are.
    std::erase_if(type.two_atom_terms, [&](const TwoAtomTerm& term) {
        const auto same = [&](const Bond& bond) { return bond.i == term.i && bond.j == term.j; };
        return rest_length(term) && std::none_of(bonds.begin(), bonds.end(), same);
    });
    return made;
}

std::string choose_for(MoleculeType& type, ConstraintChoice choice) {
    if (!type.settles.empty() && choice == ConstraintChoice::none) {
        return fmt::format("{}: rigid water stays rigid, its topology has no flexible terms", type.name);
    }
    if (const auto water = water_atoms(type)) {
        if (!type.settles.empty()) return {};
        const bool by_file = rigid_by_file(type, *water);
        if ((by_file || choice != ConstraintChoice::none) && make_rigid(type, *water)) {
            const Settle& s = type.settles.front();
            return fmt::format("{}: rigid water, O-H {:.6g} nm, H-H {:.6g} nm", type.name, s.oh, s.hh);
        }
    }
    if (choice == ConstraintChoice::none || choice == ConstraintChoice::water) return {};
    const std::size_t made = constrain(type, type.bonds, choice) + constrain(type, type.g96_bonds, choice) +
                             constrain_rare_bonds(type, choice);
    const char* of = choice == ConstraintChoice::all_bonds ? "bonds" : "bonds to hydrogen";
    return made == 0 ? std::string{} : fmt::format("{}: {} {} fixed", type.name, made, of);
}

}  // namespace

bool is_hydrogen(const Atom& atom) {
    if (atom.element != 0) return atom.element == 1;
    const auto letter = std::find_if(atom.name.begin(), atom.name.end(),
                                     [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
    if (letter == atom.name.end() || atom.mass > 3.5) return false;
    return std::toupper(*letter) == 'H' || std::toupper(*letter) == 'D';
}

bool is_water(const MoleculeType& type) {
    return water_atoms(type).has_value();
}

std::vector<std::string> choose_constraints(Topology& topology, ConstraintChoice choice) {
    std::vector<std::string> lines;
    for (MoleculeType& type : topology.types) {
        std::string line = choose_for(type, choice);
        if (!line.empty()) lines.push_back(std::move(line));
    }
    return lines;
}

std::int64_t degrees_of_freedom(const Topology& topology, ComRemoval removal, std::span<const unsigned char> frozen) {
    bool any_frozen = false;
    std::int64_t degrees = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto moves = [&](int i) {
            if (atom_of(type, i).mass == 0.0) return false;
            const bool held = !frozen.empty() && frozen[static_cast<std::size_t>(first + i)] != 0;
            any_frozen = any_frozen || held;
            return !held;
        };
        const auto fixed = [&](int i, int j) { return moves(i) || moves(j) ? 1 : 0; };
        for (int i = 0; i < type.size(); ++i) degrees += moves(i) ? 3 : 0;
        for (const Constraint& c : type.constraints) degrees -= fixed(c.i, c.j);
        for (const Settle& s : type.settles) {
            degrees -= fixed(s.oxygen, s.hydrogen1) + fixed(s.oxygen, s.hydrogen2) + fixed(s.hydrogen1, s.hydrogen2);
        }
    });
    if (removal == ComRemoval::yes && !any_frozen) degrees -= 3;
    return degrees;
}

namespace {

// Returns the number of hydrogens that were changed.
std::int64_t repartition(MoleculeType& type, double mass, Problems& problems) {
    std::vector<double> changed(type.atoms.size());
    for (std::size_t i = 0; i < changed.size(); ++i) changed[i] = type.atoms[i].mass;
    std::vector<unsigned char> done(type.atoms.size(), 0);
    const auto move_mass = [&](int a, int b) {
        if (is_site(type, a) || is_site(type, b)) return;
        for (const auto& [h, heavy] : {std::pair{a, b}, std::pair{b, a}}) {
            const auto hydrogen = static_cast<std::size_t>(h);
            if (done[hydrogen] || !is_hydrogen(type.atoms[hydrogen]) || is_hydrogen(atom_of(type, heavy))) continue;
            done[hydrogen] = 1;
            changed[static_cast<std::size_t>(heavy)] -= mass - type.atoms[hydrogen].mass;
            changed[hydrogen] = mass;
        }
    };
    for (const Bond& bond : type.bonds) move_mass(bond.i, bond.j);
    for (const Constraint& constraint : type.constraints) move_mass(constraint.i, constraint.j);
    for (const Exclusion& connection : type.connections) move_mass(connection.i, connection.j);
    for (std::size_t i = 0; i < changed.size(); ++i) {
        Atom& atom = type.atoms[i];
        if (changed[i] != atom.mass && !is_hydrogen(atom) && changed[i] < mass) {
            problems.add({.code = "MD453",
                          .what = fmt::format("hydrogen_mass = \"{} u\" would leave atom {} of {} with {:.4g} u", mass,
                                              atom.name, type.name, changed[i]),
                          .why = "a heavy atom lighter than its hydrogens would limit the time step instead of them",
                          .remedy = "a smaller hydrogen_mass, such as \"3 u\""});
        }
        atom.mass = changed[i];
    }
    return std::count(done.begin(), done.end(), 1);
}

}  // namespace

std::int64_t repartition_hydrogen_mass(Topology& topology, double mass) {
    Problems problems;
    std::vector<std::int64_t> hydrogens;
    for (MoleculeType& type : topology.types) {
        hydrogens.push_back(is_water(type) ? 0 : repartition(type, mass, problems));
    }
    problems.throw_if_any();
    std::int64_t total = 0;
    for (const MoleculeBlock& block : topology.blocks) {
        total += block.count * hydrogens[static_cast<std::size_t>(block.type)];
    }
    return total;
}

}  // namespace mdsim
