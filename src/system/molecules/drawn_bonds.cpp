// SPDX-License-Identifier: Apache-2.0
#include "system/molecules/drawn_bonds.h"

#include <algorithm>

namespace mdsim {

std::vector<Exclusion> drawn_bonds(const MoleculeType& type) {
    std::vector<Exclusion> bonds;
    const auto hydrogen = [&](int atom) { return type.atoms[static_cast<std::size_t>(atom)].element == 1; };
    const auto add = [&](int i, int j) {
        const bool geometry_only = type.size() >= 3 && hydrogen(i) && hydrogen(j);
        if (!geometry_only) bonds.push_back({std::min(i, j), std::max(i, j)});
    };
    for (const Bond& bond : type.bonds) add(bond.i, bond.j);
    for (const G96Bond& bond : type.g96_bonds) add(bond.i, bond.j);
    for (const Exclusion& connection : type.connections) add(connection.i, connection.j);
    for (const Constraint& constraint : type.constraints) add(constraint.i, constraint.j);
    for (const Settle& settle : type.settles) {
        add(settle.oxygen, settle.hydrogen1);
        add(settle.oxygen, settle.hydrogen2);
    }
    std::sort(bonds.begin(), bonds.end());
    bonds.erase(std::unique(bonds.begin(), bonds.end()), bonds.end());
    return bonds;
}

}  // namespace mdsim
