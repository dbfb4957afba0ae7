// SPDX-License-Identifier: Apache-2.0
#include "system/molecules/molecule_index.h"

#include <algorithm>

namespace mdsim {

MoleculeIndex::MoleculeIndex(const Topology& topology) {
    std::int64_t atom = 0, molecule = 0;
    for (const MoleculeBlock& block : topology.blocks) {
        const MoleculeType& type = topology.types[static_cast<std::size_t>(block.type)];
        if (block.count == 0 || type.size() == 0) continue;
        blocks_.push_back({atom, molecule, &type});
        atom += block.count * type.size();
        molecule += block.count;
    }
}

AtomPlace MoleculeIndex::place(std::int64_t id) const {
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), id, [](std::int64_t value, const Block& block) {
        return value < block.first_atom;
    });
    const Block& block = *(after - 1);
    const std::int64_t copy = (id - block.first_atom) / block.type->size();
    const std::int64_t first = block.first_atom + copy * block.type->size();
    return {block.type, block.first_molecule + copy, first, static_cast<int>(id - first)};
}

}  // namespace mdsim
