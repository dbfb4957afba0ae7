// SPDX-License-Identifier: Apache-2.0
#include "integrate/constraints/constraint_units.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"
#include "integrate/constraints/dependent_constraints.h"

namespace mdsim {

namespace {

int root_of(std::vector<int>& parent, int i) {
    while (parent[static_cast<std::size_t>(i)] != i) {
        int& up = parent[static_cast<std::size_t>(i)];
        up = parent[static_cast<std::size_t>(up)];
        i = up;
    }
    return i;
}

void append_settle(const Settle& s, std::vector<Constraint>& to) {
    to.push_back({s.oxygen, s.hydrogen1, s.oh});
    to.push_back({s.oxygen, s.hydrogen2, s.oh});
    to.push_back({s.hydrogen1, s.hydrogen2, s.hh});
}

// SETTLE needs two equal hydrogens, and nothing else fixed to the water.
bool is_lone_water(const MoleculeType& type, const Settle& s) {
    const auto in = [&](int a) { return a == s.oxygen || a == s.hydrogen1 || a == s.hydrogen2; };
    const auto mass = [&](int a) { return type.atoms[static_cast<std::size_t>(a)].mass; };
    return mass(s.hydrogen1) == mass(s.hydrogen2) &&
           std::none_of(type.constraints.begin(), type.constraints.end(),
                        [&](const Constraint& c) { return in(c.i) || in(c.j); });
}

// Ascending.
std::vector<int> atoms_of(const std::vector<Constraint>& constraints) {
    std::vector<int> atoms;
    for (const Constraint& c : constraints) {
        atoms.push_back(c.i);
        atoms.push_back(c.j);
    }
    std::sort(atoms.begin(), atoms.end());
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    return atoms;
}

// Constraints that share atoms belong together; by first atom.
std::vector<std::vector<Constraint>> components_of(std::size_t atoms, const std::vector<Constraint>& all) {
    std::vector<int> parent(atoms);
    std::iota(parent.begin(), parent.end(), 0);
    for (const Constraint& c : all) {
        const int a = root_of(parent, c.i), b = root_of(parent, c.j);
        parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    std::vector<int> component_of(atoms, -1);
    std::vector<std::vector<Constraint>> components;
    for (const Constraint& c : all) {
        int& component = component_of[static_cast<std::size_t>(root_of(parent, c.i))];
        if (component < 0) {
            component = static_cast<int>(components.size());
            components.emplace_back();
        }
        components[static_cast<std::size_t>(component)].push_back(c);
    }
    std::sort(components.begin(), components.end(),
              [](const auto& a, const auto& b) { return atoms_of(a).front() < atoms_of(b).front(); });
    return components;
}

ConstraintUnit unit_of(const std::vector<Constraint>& constraints) {
    ConstraintUnit unit;
    const auto within = [&](int atom) {
        const auto at = std::find(unit.atoms.begin(), unit.atoms.end(), atom);
        const auto number = static_cast<int>(at - unit.atoms.begin());
        if (at == unit.atoms.end()) unit.atoms.push_back(atom);
        return number;
    };
    for (const Constraint& c : constraints) {
        const int i = within(c.i), j = within(c.j);
        unit.constraints.push_back({i, j, c.length * c.length});
    }
    return unit;
}

// Within a group of any size that is solved. Its own line, so that the message has both atoms.
void check_independent(const MoleculeType& type, const std::vector<Constraint>& constraints, Problems& problems) {
    const ConstraintUnit unit = unit_of(constraints);
    const auto found = dependent_constraint(unit.constraints, unit.atoms.size());
    if (!found) return;
    const Constraint& c = constraints[*found];
    const auto name = [&](int i) {
        return fmt::format("{} ({})", i + 1, type.atoms[static_cast<std::size_t>(i)].name);
    };
    problems.add({.code = "MD452",
                  .what = fmt::format("{}: the fixed distance between atoms {} and {} follows from the other fixed "
                                      "distances of its group",
                                      type.name, name(c.i), name(c.j)),
                  .why = "the other ones hold this part of the group rigid already, so that forces could be shared out "
                         "in any way",
                  .remedy = "leave it out"});
}

void check(const MoleculeType& type, const std::vector<Constraint>& constraints, Problems& problems) {
    const auto report = [&](const char* code, int atom, std::string what, std::string remedy) {
        const Atom& of = type.atoms[static_cast<std::size_t>(atom)];
        problems.add(
            {.code = code,
             .what = fmt::format("{}: the constraint group of atom {} ({}) {}", type.name, atom + 1, of.name, what),
             .remedy = std::move(remedy)});
    };
    const std::vector<int> atoms = atoms_of(constraints);
    const std::size_t n = atoms.size(), fixed = constraints.size();
    if (n > max_group_atoms) {
        report("MD451", atoms.front(), fmt::format("has {} atoms; at most {} are solved together", n, max_group_atoms),
               "constraints = \"hydrogen-bonds\", a topology without [ constraints ] between heavy atoms, or stiff "
               "bonds in place of some of them");
    } else if (n > 2 && fixed > 3 * n - 6) {
        report("MD452", atoms.front(),
               fmt::format("has {} fixed distances between {} atoms, more than make it rigid", fixed, n),
               "leave out the superfluous ones");
    }
    std::map<std::pair<int, int>, double> lengths;
    for (const Constraint& c : constraints) {
        const auto [before, fresh] = lengths.try_emplace(std::minmax(c.i, c.j), c.length);
        if (!fresh && before->second != c.length) {
            report(
                "MD452", c.i,
                fmt::format("has two fixed distances between the same atoms, {} and {} nm", before->second, c.length),
                "leave out [ settles ] or [ constraints ] of atoms that bonds to hydrogen hold as well");
        }
        if (!(c.length > 0.0) || c.i == c.j) report("MD452", c.i, "has a fixed distance that is not positive", "");
    }
    if (problems.empty()) check_independent(type, constraints, problems);
}

std::vector<ConstraintUnit> units_of(const MoleculeType& type, Problems& problems) {
    std::vector<ConstraintUnit> units;
    std::vector<Constraint> others = type.constraints;
    for (const Settle& s : type.settles) {
        if (!is_lone_water(type, s)) {
            append_settle(s, others);
            continue;
        }
        std::vector<Constraint> three;
        append_settle(s, three);
        units.push_back(unit_of(three));
        units.back().rigid_water = true;
        units.back().oh = s.oh;
        units.back().hh = s.hh;
    }
    for (const auto& constraints : components_of(type.atoms.size(), others)) {
        check(type, constraints, problems);
        if (problems.empty()) units.push_back(unit_of(constraints));
    }
    std::stable_sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.first() < b.first(); });
    return units;
}

}  // namespace

int ConstraintUnit::first() const {
    return *std::min_element(atoms.begin(), atoms.end());
}

ConstraintUnits::ConstraintUnits(const Topology& topology) : molecules_(topology), first_type_(topology.types.data()) {
    Problems problems;
    for (const MoleculeType& type : topology.types) units_.push_back(units_of(type, problems));
    problems.throw_if_any();
}

}  // namespace mdsim
