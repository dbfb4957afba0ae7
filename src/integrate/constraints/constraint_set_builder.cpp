// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/error.h"
#include "integrate/constraints/constraint_set.h"
#include "system/molecules/molecule_runs.h"

namespace mdsim {

namespace {

constexpr std::size_t slice_atoms = 768;  // some 75 kB of positions and velocities, old and new: half of an L2 cache

// The home atoms of one molecule: from numbers within the molecule to those of home atoms.
class HomeAtoms {
  public:
    HomeAtoms(std::span<const std::int64_t> ids, const MoleculeRun& run) : ids_(ids), run_(run) {}

    bool has(int atom) const { return run_.whole() || ids_[place(atom)] == run_.first_atom + atom; }
    std::int32_t number(int atom) const {
        const std::size_t at = run_.whole() ? run_.begin + static_cast<std::size_t>(atom) : place(atom);
        MDSIM_EXPECT(ids_[at] == run_.first_atom + atom);  // units are never split
        return static_cast<std::int32_t>(at);
    }

  private:
    std::span<const std::int64_t> ids_;
    const MoleculeRun& run_;

    // Where the atom is if it is at home.
    std::size_t place(int atom) const {
        const auto begin = ids_.begin() + static_cast<std::ptrdiff_t>(run_.begin);
        const auto last = ids_.begin() + static_cast<std::ptrdiff_t>(run_.end - 1);
        return static_cast<std::size_t>(std::lower_bound(begin, last, run_.first_atom + atom) - ids_.begin());
    }
};

}  // namespace

/// Makes the instances of the waters and groups of home atoms, and cuts the atoms into slices.
class ConstraintSetBuilder {
  public:
    ConstraintSetBuilder(ConstraintSet& set, const AtomParameters& home) : set_(set), weight_(home.inverse_mass) {}

    void build() {
        for_each_molecule_run(set_.units_.molecules(), set_.ids_, 0, set_.ids_.size(), [&](const MoleculeRun& run) {
            const HomeAtoms home(set_.ids_, run);
            for (const ConstraintUnit& unit : set_.units_.of(*run.type)) {
                if (home.has(unit.first())) add(unit, home);
            }
        });
        // Units come by first atom, but a group without its first, which is frozen, begins later.
        std::stable_sort(set_.groups_.begin(), set_.groups_.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        set_.in_unit_.assign(set_.ids_.size(), 0);
        for (const RigidWater& w : set_.waters_) {
            for (const std::int32_t atom : {w.oxygen, w.hydrogen1, w.hydrogen2}) mark(atom);
        }
        for (const std::int32_t atom : set_.group_atoms_) mark(atom);
        cut_slices();
    }

  private:
    ConstraintSet& set_;
    const std::vector<double>& weight_;  // inverse masses of home atoms
    std::vector<int> number_;            // within a group, of the atoms of its unit; -1: not in it

    void mark(std::int32_t atom) { set_.in_unit_[static_cast<std::size_t>(atom)] = 1; }
    double weight(std::int32_t atom) const { return weight_[static_cast<std::size_t>(atom)]; }

    void add(const ConstraintUnit& unit, const HomeAtoms& home) {
        if (unit.rigid_water) {
            add_water(unit, home);
        } else {
            add_group(unit, home);
        }
    }

    void add_water(const ConstraintUnit& unit, const HomeAtoms& home) {
        const std::int32_t o = home.number(unit.atoms[0]), h1 = home.number(unit.atoms[1]),
                           h2 = home.number(unit.atoms[2]);
        const double wo = weight(o), wh = weight(h1);
        if (wo == 0.0 || wh == 0.0 || weight(h2) != wh) return add_group(unit, home);
        const SettleGeometry geometry(unit.oh, unit.hh, 1.0 / wo, 1.0 / wh);
        auto& known = set_.geometries_;
        auto at = std::find(known.begin(), known.end(), geometry);
        if (at == known.end()) at = known.insert(at, geometry);
        set_.waters_.push_back({o, h1, h2, static_cast<std::int32_t>(at - known.begin())});
    }

    // Leaves out distances between frozen atoms, and atoms that are in no other.
    void add_group(const ConstraintUnit& unit, const HomeAtoms& home) {
        ConstraintSet::Group group{};
        group.atom_begin = set_.group_atoms_.size();
        group.constraint_begin = set_.group_constraints_.size();
        number_.assign(unit.atoms.size(), -1);
        const auto within = [&](int i) {
            int& number = number_[static_cast<std::size_t>(i)];
            if (number < 0) {
                number = static_cast<int>(set_.group_atoms_.size() - group.atom_begin);
                const std::int32_t atom = home.number(unit.atoms[static_cast<std::size_t>(i)]);
                set_.group_atoms_.push_back(atom);
                set_.group_inverse_mass_.push_back(weight(atom));
            }
            return number;
        };
        const auto frozen = [&](int i) { return weight(home.number(unit.atoms[static_cast<std::size_t>(i)])) == 0.0; };
        for (const GroupConstraint& c : unit.constraints) {
            if (frozen(c.i) && frozen(c.j)) continue;
            const int i = within(c.i), j = within(c.j);
            set_.group_constraints_.push_back({i, j, c.length2});
        }
        group.atom_end = set_.group_atoms_.size();
        group.constraint_end = set_.group_constraints_.size();
        if (group.atom_begin == group.atom_end) return;
        const auto begin = set_.group_atoms_.begin() + static_cast<std::ptrdiff_t>(group.atom_begin);
        const auto [first, last] = std::minmax_element(begin, set_.group_atoms_.end());
        group.first = *first;
        group.last = *last;
        set_.groups_.push_back(group);
    }

    static std::int32_t first_of(const ConstraintSet::Group& group) { return group.first; }
    static std::int32_t last_of(const ConstraintSet::Group& group) { return group.last; }
    static std::int32_t first_of(const RigidWater& w) { return std::min({w.oxygen, w.hydrogen1, w.hydrogen2}); }
    static std::int32_t last_of(const RigidWater& w) { return std::max({w.oxygen, w.hydrogen1, w.hydrogen2}); }

    // A cut may be made before atom c where no unit has atoms on both sides of it.
    void cut_slices() {
        const auto& waters = set_.waters_;
        const auto& groups = set_.groups_;
        const std::size_t atoms = set_.ids_.size();
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
        while (w < waters.size() || g < groups.size()) {
            const bool water_next =
                g == groups.size() || (w < waters.size() && first_of(waters[w]) < first_of(groups[g]));
            const auto first = static_cast<std::size_t>(water_next ? first_of(waters[w]) : first_of(groups[g]));
            if (first >= covered) cut_up_to(first);
            const std::int32_t last = water_next ? last_of(waters[w++]) : last_of(groups[g++]);
            covered = std::max(covered, static_cast<std::size_t>(last) + 1);
        }
        cut_up_to(atoms);
    }
};

ConstraintSet::ConstraintSet(const Topology& topology, const AtomParameters& home)
    : names_(topology), units_(topology) {
    assign(home);
}

void ConstraintSet::assign(const AtomParameters& home) {
    MDSIM_EXPECT(home.id.size() == home.inverse_mass.size());
    ids_ = home.id;
    geometries_.clear();
    waters_.clear();
    groups_.clear();
    group_atoms_.clear();
    group_inverse_mass_.clear();
    group_constraints_.clear();
    slices_.clear();
    ConstraintSetBuilder(*this, home).build();
}

}  // namespace mdsim
