// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"
#include "integrate/constraints/constraint_set.h"

namespace mdsim {

namespace {

constexpr std::size_t slice_atoms = 768;  // some 75 kB of positions and velocities, old and new: half of an L2 cache

// The constraint groups of one molecule type, found once however many copies there are.
struct TypeGroups {
    struct Component {
        std::vector<int> atoms;               // ascending
        std::vector<Constraint> constraints;  // those of its settles included
    };
    std::vector<Settle> waters;
    std::vector<Component> components;
};

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

TypeGroups groups_of(const MoleculeType& type) {
    TypeGroups groups;
    std::vector<Constraint> all = type.constraints;
    for (const Settle& s : type.settles) {
        if (is_lone_water(type, s)) {
            groups.waters.push_back(s);
        } else {
            append_settle(s, all);
        }
    }
    std::vector<int> parent(type.atoms.size());
    std::iota(parent.begin(), parent.end(), 0);
    for (const Constraint& c : all) {
        const int a = root_of(parent, c.i), b = root_of(parent, c.j);
        parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
    std::vector<int> component_of(type.atoms.size(), -1);
    for (const Constraint& c : all) {
        const auto root = static_cast<std::size_t>(root_of(parent, c.i));
        if (component_of[root] < 0) {
            component_of[root] = static_cast<int>(groups.components.size());
            groups.components.emplace_back();
        }
        groups.components[static_cast<std::size_t>(component_of[root])].constraints.push_back(c);
    }
    for (TypeGroups::Component& component : groups.components) {
        for (const Constraint& c : component.constraints) {
            component.atoms.push_back(c.i);
            component.atoms.push_back(c.j);
        }
        std::sort(component.atoms.begin(), component.atoms.end());
        component.atoms.erase(std::unique(component.atoms.begin(), component.atoms.end()), component.atoms.end());
    }
    std::sort(groups.components.begin(), groups.components.end(),
              [](const auto& a, const auto& b) { return a.atoms.front() < b.atoms.front(); });
    return groups;
}

void check(const MoleculeType& type, const TypeGroups& groups, Problems& problems) {
    const auto report = [&](const char* code, int atom, std::string what, std::string remedy) {
        const Atom& of = type.atoms[static_cast<std::size_t>(atom)];
        problems.add(
            {.code = code,
             .what = fmt::format("{}: the constraint group of atom {} ({}) {}", type.name, atom + 1, of.name, what),
             .remedy = std::move(remedy)});
    };
    for (const TypeGroups::Component& component : groups.components) {
        const std::size_t n = component.atoms.size(), fixed = component.constraints.size();
        const int first = component.atoms.front();
        if (n > max_group_atoms) {
            report("MD451", first, fmt::format("has {} atoms; at most {} are solved together", n, max_group_atoms),
                   "constraints = \"hydrogen-bonds\", and a topology without [ constraints ] between heavy atoms");
        } else if (n > 2 && fixed > 3 * n - 6) {
            report("MD452", first,
                   fmt::format("has {} fixed distances between {} atoms, more than make it rigid", fixed, n),
                   "leave out the superfluous ones");
        }
        std::map<std::pair<int, int>, double> lengths;
        for (const Constraint& c : component.constraints) {
            const auto [before, fresh] = lengths.try_emplace(std::minmax(c.i, c.j), c.length);
            if (!fresh && before->second != c.length) {
                report("MD452", c.i,
                       fmt::format("has two fixed distances between the same atoms, {} and {} nm", before->second,
                                   c.length),
                       "leave out [ settles ] or [ constraints ] of atoms that bonds to hydrogen hold as well");
            }
            if (!(c.length > 0.0) || c.i == c.j) report("MD452", c.i, "has a fixed distance that is not positive", "");
        }
    }
}

}  // namespace

/// Makes the instances of every molecule's waters and groups, and cuts the atoms into slices.
class ConstraintSetBuilder {
  public:
    ConstraintSetBuilder(ConstraintSet& set, std::span<const double> inverse_mass)
        : set_(set), inverse_mass_(inverse_mass) {}

    void add(const TypeGroups& groups, std::int64_t first_atom) {
        for (const Settle& s : groups.waters) add_water(s, first_atom);
        for (const TypeGroups::Component& component : groups.components) add_group(component.constraints, first_atom);
    }

    void finish() {
        sort_units();
        set_.in_unit_.assign(inverse_mass_.size(), 0);
        for (const RigidWater& w : set_.waters_) {
            for (const std::int32_t atom : {w.oxygen, w.hydrogen1, w.hydrogen2}) mark(atom);
        }
        for (const std::int32_t atom : set_.group_atoms_) mark(atom);
        cut_slices();
    }

  private:
    struct Instance {
        std::vector<std::int32_t> atoms;
        std::vector<GroupConstraint> constraints;
    };
    ConstraintSet& set_;
    std::span<const double> inverse_mass_;
    std::vector<Instance> instances_;

    void mark(std::int32_t atom) { set_.in_unit_[static_cast<std::size_t>(atom)] = 1; }
    double weight(std::int64_t atom) const { return inverse_mass_[static_cast<std::size_t>(atom)]; }

    void add_water(const Settle& s, std::int64_t first) {
        const double wo = weight(first + s.oxygen), wh = weight(first + s.hydrogen1);
        if (wo == 0.0 || wh == 0.0 || weight(first + s.hydrogen2) != wh) {
            std::vector<Constraint> three;
            append_settle(s, three);
            add_group(three, first);
            return;
        }
        const SettleGeometry geometry(s.oh, s.hh, 1.0 / wo, 1.0 / wh);
        auto& known = set_.geometries_;
        auto at = std::find(known.begin(), known.end(), geometry);
        if (at == known.end()) at = known.insert(at, geometry);
        const auto global = [&](int i) { return static_cast<std::int32_t>(first + i); };
        set_.waters_.push_back({global(s.oxygen), global(s.hydrogen1), global(s.hydrogen2),
                                static_cast<std::int32_t>(at - known.begin())});
    }

    void add_group(const std::vector<Constraint>& constraints, std::int64_t first) {
        Instance group;
        const auto local = [&](int i) {
            const auto atom = static_cast<std::int32_t>(first + i);
            const auto at = std::find(group.atoms.begin(), group.atoms.end(), atom);
            if (at != group.atoms.end()) return static_cast<int>(at - group.atoms.begin());
            group.atoms.push_back(atom);
            return static_cast<int>(group.atoms.size()) - 1;
        };
        for (const Constraint& c : constraints) {
            if (weight(first + c.i) == 0.0 && weight(first + c.j) == 0.0) continue;
            const int i = local(c.i), j = local(c.j);
            group.constraints.push_back({i, j, c.length * c.length});
        }
        if (!group.constraints.empty()) instances_.push_back(std::move(group));
    }

    static std::int32_t first_of(const Instance& group) {
        return *std::min_element(group.atoms.begin(), group.atoms.end());
    }
    static std::int32_t first_of(const RigidWater& w) { return std::min({w.oxygen, w.hydrogen1, w.hydrogen2}); }
    static std::int32_t last_of(const RigidWater& w) { return std::max({w.oxygen, w.hydrogen1, w.hydrogen2}); }

    void sort_units() {
        const auto by_first = [](const auto& a, const auto& b) { return first_of(a) < first_of(b); };
        std::stable_sort(set_.waters_.begin(), set_.waters_.end(), by_first);
        std::stable_sort(instances_.begin(), instances_.end(), by_first);
        for (const Instance& group : instances_) {
            set_.groups_.push_back({set_.group_atoms_.size(), set_.group_constraints_.size()});
            for (const std::int32_t atom : group.atoms) {
                set_.group_atoms_.push_back(atom);
                set_.group_inverse_mass_.push_back(weight(atom));
            }
            set_.group_constraints_.insert(set_.group_constraints_.end(), group.constraints.begin(),
                                           group.constraints.end());
        }
        set_.groups_.push_back({set_.group_atoms_.size(), set_.group_constraints_.size()});
    }

    // A cut may be made before atom c where no unit has atoms on both sides of it.
    void cut_slices() {
        const std::size_t atoms = inverse_mass_.size();
        AtomSlice slice{0, 0, 0, 0, 0, 0};
        std::size_t w = 0, g = 0, covered = 0;
        const auto cut_up_to = [&](std::size_t limit) {
            while (limit - slice.atom_begin >= slice_atoms || (limit == atoms && slice.atom_begin < atoms)) {
                const std::size_t cut = std::min(limit, std::max(slice.atom_begin + slice_atoms, covered));
                slice.atom_end = cut;
                slice.water_end = w;
                slice.group_end = g;
                set_.slices_.push_back(slice);
                slice = {cut, cut, w, w, g, g};
            }
        };
        while (w < set_.waters_.size() || g < instances_.size()) {
            const bool water_next = g == instances_.size() ||
                                    (w < set_.waters_.size() && first_of(set_.waters_[w]) < first_of(instances_[g]));
            const auto first =
                static_cast<std::size_t>(water_next ? first_of(set_.waters_[w]) : first_of(instances_[g]));
            if (first >= covered) cut_up_to(first);
            std::int32_t last = 0;
            if (water_next) {
                last = last_of(set_.waters_[w++]);
            } else {
                last = *std::max_element(instances_[g].atoms.begin(), instances_[g].atoms.end());
                ++g;
            }
            covered = std::max(covered, static_cast<std::size_t>(last) + 1);
        }
        cut_up_to(atoms);
    }
};

ConstraintSet::ConstraintSet(const Topology& topology, std::span<const double> inverse_mass) : names_(topology) {
    MDSIM_EXPECT(static_cast<std::int64_t>(inverse_mass.size()) == topology.atoms());
    std::vector<TypeGroups> of_type;
    Problems problems;
    for (const MoleculeType& type : topology.types) {
        of_type.push_back(groups_of(type));
        check(type, of_type.back(), problems);
    }
    problems.throw_if_any();
    ConstraintSetBuilder builder(*this, inverse_mass);
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        builder.add(of_type[static_cast<std::size_t>(&type - topology.types.data())], first);
    });
    builder.finish();
}

}  // namespace mdsim
