// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/atom_names.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

AtomNames::AtomNames(const Topology& topology) : atoms_(topology.atoms()) {
    for (const MoleculeType& type : topology.types) {
        Type names{type.name, {}, type.residues};
        for (const Atom& atom : type.atoms) names.atoms.push_back({atom.name, static_cast<std::size_t>(atom.residue)});
        types_.push_back(std::move(names));
    }
    std::int64_t first = 0, first_residue = 0;
    for (const MoleculeBlock& block : topology.blocks) {
        const auto type = static_cast<std::size_t>(block.type);
        blocks_.push_back({first, first_residue, block.count, type});
        first += block.count * topology.types[type].size();
        first_residue += block.count * static_cast<std::int64_t>(topology.types[type].residues.size());
    }
}

std::string AtomNames::describe(std::int64_t atom) const {
    if (atom < 0 || atom >= atoms_) return fmt::format("atom number {}", atom + 1);
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), atom,
                                        [](std::int64_t a, const Block& block) { return a < block.first; });
    const Block& block = *(after - 1);
    const Type& type = types_[block.type];
    const auto size = static_cast<std::int64_t>(type.atoms.size());
    const std::int64_t copy = (atom - block.first) / size;
    const Name& name = type.atoms[static_cast<std::size_t>((atom - block.first) % size)];
    std::string residue = "?";
    if (name.residue < type.residues.size()) {
        const Residue& of = type.residues[name.residue];
        const auto in_system = block.first_residue + copy * static_cast<std::int64_t>(type.residues.size()) +
                               static_cast<std::int64_t>(name.residue) + 1;
        residue = fmt::format("{} {}", of.name, block.copies > 1 ? in_system : of.number);
        if (!of.chain.empty()) residue += " of chain " + of.chain;
    }
    return fmt::format("residue {}, atom {} (number {} of the input, molecule {})", residue, name.atom, atom + 1,
                       type.name);
}

}  // namespace mdsim
