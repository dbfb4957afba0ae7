// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/subset.h"

#include <algorithm>
#include <map>

#include "system/molecules/drawn_bonds.h"

namespace mdsim {

namespace {

/// Atoms of a molecule type that are kept, ascending; identifies a reduced type together with the whole one.
using Kept = std::vector<int>;

MoleculeType reduce(const MoleculeType& type, const Kept& kept) {
    std::vector<int> index(type.atoms.size(), -1);
    MoleculeType out;
    out.name = type.name;
    out.residues = type.residues;
    for (const int i : kept) {
        index[static_cast<std::size_t>(i)] = out.size();
        out.atoms.push_back(type.atoms[static_cast<std::size_t>(i)]);
    }
    const auto connect = [&](int i, int j) {
        const int a = index[static_cast<std::size_t>(i)], b = index[static_cast<std::size_t>(j)];
        if (a >= 0 && b >= 0) out.connections.push_back({std::min(a, b), std::max(a, b)});
    };
    for (const Exclusion& bond : drawn_bonds(type)) connect(bond.i, bond.j);
    return out;
}

}  // namespace

Topology subset(const Topology& topology, std::span<const std::int64_t> atoms) {
    Topology out;
    out.title = topology.title;
    out.force_field = topology.force_field;
    std::map<std::pair<const MoleculeType*, Kept>, int> known;
    auto next = atoms.begin();
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        Kept kept;
        for (; next != atoms.end() && *next < first + type.size(); ++next)
            kept.push_back(static_cast<int>(*next - first));
        if (kept.empty()) return;
        const auto [entry, is_new] = known.try_emplace({&type, kept}, static_cast<int>(out.types.size()));
        if (is_new) out.types.push_back(reduce(type, kept));
        if (!out.blocks.empty() && out.blocks.back().type == entry->second) {
            ++out.blocks.back().count;
        } else {
            out.blocks.push_back({entry->second, 1});
        }
    });
    return out;
}

}  // namespace mdsim
