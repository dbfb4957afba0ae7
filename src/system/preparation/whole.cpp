// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/whole.h"

#include <array>
#include <type_traits>

#include <fmt/format.h>

#include "core/error.h"
#include "system/molecules/term_atoms.h"

namespace mdsim {

namespace {

std::vector<Exclusion> links_of(const MoleculeType& type) {
    std::vector<Exclusion> links = type.connections;
    for (const Bond& bond : type.bonds) links.push_back({bond.i, bond.j});
    for (const Constraint& constraint : type.constraints) links.push_back({constraint.i, constraint.j});
    for (const Settle& settle : type.settles) {
        links.push_back({settle.oxygen, settle.hydrogen1});
        links.push_back({settle.oxygen, settle.hydrogen2});
    }
    return links;
}

/// Atoms that a term acts on without being bonded: parts of a molecule that only such terms join are put into the
/// nearest images of each other, as the term sees them.
std::vector<Exclusion> joined_by_terms(const MoleculeType& type) {
    std::vector<Exclusion> pairs;
    for_each_kind([&](auto kind, std::size_t) {
        using Term = typename std::remove_cvref_t<decltype(type.*kind)>::value_type;
        if constexpr (!std::is_same_v<Term, Exclusion>) {
            for (const Term& term : type.*kind) {
                for_each_atom(term, [&](int atom) { pairs.push_back({first_atom(term), atom}); });
            }
        }
    });
    return pairs;
}

using Neighbours = std::vector<std::vector<int>>;

Neighbours neighbours_of(const MoleculeType& type, const std::vector<Exclusion>& links) {
    Neighbours neighbours(type.atoms.size());
    for (const Exclusion& link : links) {
        if (link.i == link.j) continue;
        neighbours[static_cast<std::size_t>(link.i)].push_back(link.j);
        neighbours[static_cast<std::size_t>(link.j)].push_back(link.i);
    }
    return neighbours;
}

/// For each atom but the first of a connected part: the atom it hangs on; in an order in which that one comes first.
/// Bonds are followed as far as they go before other terms are.
std::vector<Exclusion> spanning_tree(const MoleculeType& type, const std::vector<Exclusion>& links) {
    const std::array<Neighbours, 2> neighbours{neighbours_of(type, links), neighbours_of(type, joined_by_terms(type))};
    std::vector<Exclusion> tree;
    std::vector<bool> seen(type.atoms.size(), false);
    std::vector<int> queue;
    for (int first = 0; first < type.size(); ++first) {
        if (seen[static_cast<std::size_t>(first)]) continue;
        seen[static_cast<std::size_t>(first)] = true;
        queue.assign(1, first);
        std::array<std::size_t, 2> head{0, 0};
        while (head[1] < queue.size()) {
            const std::size_t kind = head[0] < queue.size() ? 0 : 1;
            const int atom = queue[head[kind]++];
            for (const int next : neighbours[kind][static_cast<std::size_t>(atom)]) {
                if (seen[static_cast<std::size_t>(next)]) continue;
                seen[static_cast<std::size_t>(next)] = true;
                tree.push_back({atom, next});
                queue.push_back(next);
            }
        }
    }
    return tree;
}

[[noreturn]] void throw_bonded_to_image(const MoleculeType& type, const Exclusion& link, std::int64_t molecule,
                                        const std::filesystem::path& coordinates) {
    const auto name = [&](int i) {
        const Atom& atom = type.atoms[static_cast<std::size_t>(i)];
        const Residue& residue = type.residues[static_cast<std::size_t>(atom.residue)];
        return fmt::format("{} {} {}", residue.name, residue.number, atom.name);
    };
    throw_input_error({.code = "MD410",
                       .place = {coordinates.string()},
                       .what = fmt::format("molecule {} ({}) is bonded to its own image: {} to {}", molecule + 1,
                                           type.name, name(link.i), name(link.j)),
                       .why = "mdsim keeps molecules whole, and an endless molecule has no whole form",
                       .remedy =
                           "check the box and the coordinates; if the molecule is meant to be endless, mdsim cannot "
                           "simulate it"});
}

struct TypeLinks {
    std::vector<Exclusion> links, tree;
};

}  // namespace

void make_whole(const Topology& topology, const Box& box, std::span<Vec3d> x,
                const std::filesystem::path& coordinates) {
    MDSIM_EXPECT(static_cast<std::int64_t>(x.size()) == topology.atoms());
    if (!box.periodic()) return;
    std::vector<TypeLinks> of_type;
    for (const MoleculeType& type : topology.types) {
        std::vector<Exclusion> links = links_of(type);
        std::vector<Exclusion> tree = spanning_tree(type, links);
        of_type.push_back({std::move(links), std::move(tree)});
    }
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t molecule) {
        const TypeLinks& t = of_type[static_cast<std::size_t>(&type - topology.types.data())];
        Vec3d* atoms = x.data() + first;
        for (const Exclusion& link : t.tree) {
            const Vec3d d = atoms[link.j] - atoms[link.i];
            const Vec3d near = box.minimum_image(d);
            // Bits of positions that are whole already are kept.
            if (norm2(near - d) > 1e-12) atoms[link.j] = atoms[link.i] + near;
        }
        for (const Exclusion& link : t.links) {
            const Vec3d d = atoms[link.j] - atoms[link.i];
            if (norm2(box.minimum_image(d) - d) > 1e-12) throw_bonded_to_image(type, link, molecule, coordinates);
        }
    });
}

}  // namespace mdsim
