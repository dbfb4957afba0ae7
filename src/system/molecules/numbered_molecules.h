// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "system/molecules/chain_letters.h"
#include "system/topology.h"

namespace mdsim {

/// One molecule of the system.
struct NumberedMolecule {
    const MoleculeType& type;
    std::size_t first;           ///< number of its first atom
    std::int64_t residue_shift;  ///< what the numbers of its residues are counted on by
    std::string chain;           ///< of residues without one
};

/// Calls f(const NumberedMolecule&) for every molecule, in order. Coordinate files number waters and ions on from the
/// molecule before them; copies of a molecule count on from the first.
template <class F>
void for_each_numbered_molecule(const Topology& topology, F&& f) {
    std::vector<std::int64_t> residues_before(topology.types.size(), -1);  // the first copy of a type
    std::int64_t residues = 0, last_number = 0, polymers = 0;
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        std::int64_t& before = residues_before[static_cast<std::size_t>(&type - topology.types.data())];
        if (before < 0) before = residues;
        const auto count = static_cast<std::int64_t>(type.residues.size());
        const bool counts_on = count == 1 && first > 0;
        const std::int64_t shift = counts_on ? last_number + 1 - type.residues[0].number : residues - before;
        f(NumberedMolecule{type, static_cast<std::size_t>(first), shift, chain_letter(type, polymers)});
        if (count > 0) last_number = type.residues.back().number + shift;
        if (count > 1) ++polymers;
        residues += count;
    });
}

}  // namespace mdsim
