// SPDX-License-Identifier: Apache-2.0
#include "domain/local/units.h"

#include <algorithm>
#include <numeric>

#include "system/molecules/components.h"

namespace mdsim {

MoleculeUnits::TypeUnits MoleculeUnits::units_of(const MoleculeType& type) {
    const std::size_t n = type.atoms.size();
    Components components(type.size());
    for (const Constraint& c : type.constraints) components.join(c.i, c.j);
    for (const Settle& s : type.settles) {
        components.join(s.oxygen, s.hydrogen1);
        components.join(s.oxygen, s.hydrogen2);
    }
    for (const VirtualSite& s : type.virtual_sites) {
        for (const int parent : s.parents) components.join(s.i, parent);
    }
    std::vector<int> first;
    for (int i = 0; i < type.size(); ++i) first.push_back(components.root(i));
    TypeUnits units{.atoms = std::vector<int>(n), .begin = std::vector<int>(n), .length = std::vector<int>(n)};
    std::iota(units.atoms.begin(), units.atoms.end(), 0);
    std::stable_sort(units.atoms.begin(), units.atoms.end(), [&](int a, int b) {
        return first[static_cast<std::size_t>(a)] < first[static_cast<std::size_t>(b)];
    });
    for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
        const auto unit = [&](std::size_t k) { return first[static_cast<std::size_t>(units.atoms[k])]; };
        while (end < n && unit(end) == unit(begin)) ++end;
        for (std::size_t k = begin; k < end; ++k) {
            units.begin[static_cast<std::size_t>(units.atoms[k])] = static_cast<int>(begin);
            units.length[static_cast<std::size_t>(units.atoms[k])] = static_cast<int>(end - begin);
        }
    }
    return units;
}

MoleculeUnits::MoleculeUnits(const Topology& topology) : first_type_(topology.types.data()) {
    for (const MoleculeType& type : topology.types) types_.push_back(units_of(type));
}

std::span<const int> MoleculeUnits::atoms_of_unit(const AtomPlace& place) const {
    const TypeUnits& units = types_[static_cast<std::size_t>(place.type - first_type_)];
    const auto atom = static_cast<std::size_t>(place.atom);
    return std::span(units.atoms)
        .subspan(static_cast<std::size_t>(units.begin[atom]), static_cast<std::size_t>(units.length[atom]));
}

}  // namespace mdsim
