// SPDX-License-Identifier: Apache-2.0
#include "io/matching.h"

#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "system/preparation/atom_names.h"

namespace mdsim {

namespace {

constexpr std::int64_t none = -1;

std::string describe(const AtomLabel& label) {
    const std::string chain = label.chain.empty() ? "" : fmt::format(", chain {}", label.chain);
    return fmt::format("residue {} {}, atom {}{}", label.residue, label.residue_number, label.atom, chain);
}

struct Differences {
    std::int64_t first = none;
    std::int64_t count = 0;
};

// A residue is compared at its first atom only: one renamed residue is one difference.
Differences find_differences(const Topology& topology, const Structure& structure) {
    Differences found;
    const auto labels = static_cast<std::int64_t>(structure.labels.size());
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        int residue = -1;
        for (int i = 0; i < type.size() && first + i < labels; ++i) {
            const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
            const AtomLabel& label = structure.labels[static_cast<std::size_t>(first + i)];
            bool same = same_atom_name(atom.name, label.atom);
            if (atom.residue != residue) {
                residue = atom.residue;
                same = same && same_residue_name(type.residues[static_cast<std::size_t>(residue)].name, label.residue);
            }
            if (same) continue;
            if (found.count++ == 0) found.first = first + i;
        }
    });
    return found;
}

[[noreturn]] void refuse_count(const Topology& topology, const Structure& structure, const Differences& names,
                               const std::filesystem::path& topology_file,
                               const std::filesystem::path& structure_file) {
    const auto in_file = static_cast<std::int64_t>(structure.x.size());
    const AtomNames atoms(topology);
    std::string where;
    if (names.count > 0) {
        where =
            fmt::format("the first difference: {} in the topology is {} in the coordinates",
                        atoms.describe(names.first), describe(structure.labels[static_cast<std::size_t>(names.first)]));
    } else if (topology.atoms() > in_file) {
        where = "the coordinates end before " + atoms.describe(in_file);
    } else {
        where = fmt::format("the topology ends before atom {} of the coordinates", topology.atoms() + 1);
        if (!structure.labels.empty()) {
            where += ": " + describe(structure.labels[static_cast<std::size_t>(topology.atoms())]);
        }
    }
    throw_input_error(
        {.code = "MD205",
         .place = {structure_file.string(), 0, 0},
         .what = fmt::format("{} atoms, but the topology {} has {}", in_file, topology_file.string(), topology.atoms()),
         .why = where,
         .remedy = "use coordinates and topology of one preparation; in a .top check [ molecules ]"});
}

}  // namespace

void require_match(const Topology& topology, const Structure& structure, const std::filesystem::path& topology_file,
                   const std::filesystem::path& structure_file) {
    const Differences names = find_differences(topology, structure);
    if (static_cast<std::int64_t>(structure.x.size()) != topology.atoms()) {
        refuse_count(topology, structure, names, topology_file, structure_file);
    }
    if (names.count == 0) return;
    throw_input_error(
        {.code = "MD206",
         .place = {structure_file.string(), 0, 0},
         .what = fmt::format("{} {} as in the topology {}; the first: {} in the topology is {} in the coordinates",
                             names.count, names.count == 1 ? "atom is not named" : "atoms are not named",
                             topology_file.string(), AtomNames(topology).describe(names.first),
                             describe(structure.labels[static_cast<std::size_t>(names.first)])),
         .why = "in another order of atoms each would get another's charge and bonds",
         .remedy = "use coordinates and topology of one preparation"});
}

}  // namespace mdsim
