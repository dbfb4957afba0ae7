// SPDX-License-Identifier: Apache-2.0
#include "domain/local/units.h"

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

std::vector<int> unit(const MoleculeUnits& units, const MoleculeIndex& index, std::int64_t id) {
    const auto atoms = units.atoms_of_unit(index.place(id));
    return {atoms.begin(), atoms.end()};
}

}  // namespace

TEST_CASE("units are the connected components of constraints and rigid waters") {
    Topology topology;
    MoleculeType chain, water;
    // 0 - 7 - 3 by constraints listed from the far end, 2 with two hydrogens rigid and a constraint to 8; 1 is alone.
    chain.atoms.resize(9);
    chain.constraints = {{7, 3, 0.1}, {8, 5, 0.1}, {0, 7, 0.1}};
    chain.settles = {{2, 4, 5, 0.1, 0.16}};
    water.atoms.resize(3);
    water.settles = {{0, 1, 2, 0.1, 0.16}};
    topology.types = {water, chain};
    topology.blocks = {{1, 1}, {0, 2}, {1, 1}};
    const MoleculeUnits units(topology);
    const MoleculeIndex index(topology);
    using Atoms = std::vector<int>;
    for (const std::int64_t first : {0, 15}) {
        for (const std::int64_t atom : {0, 3, 7}) CHECK(unit(units, index, first + atom) == Atoms{0, 3, 7});
        for (const std::int64_t atom : {2, 4, 5, 8}) CHECK(unit(units, index, first + atom) == Atoms{2, 4, 5, 8});
        for (const int atom : {1, 6}) CHECK(unit(units, index, first + atom) == Atoms{atom});
        CHECK(units.first_of_unit(index.place(first + 8)) == 2);
    }
    for (std::int64_t id = 9; id < 15; ++id) CHECK(unit(units, index, id) == Atoms{0, 1, 2});
}

TEST_CASE("a virtual site is of one unit with the atoms that it is made from") {
    Topology topology;
    MoleculeType type;
    type.atoms.resize(8);
    type.constraints = {{1, 2, 0.1}};
    type.virtual_sites = {{3, SiteKind::weighted, {0, 1}, {0.5, 0.5}}, {4, SiteKind::weighted, {3, 5}, {0.5, 0.5}}};
    topology.types = {type};
    topology.blocks = {{0, 1}};
    const MoleculeUnits units(topology);
    const MoleculeIndex index(topology);
    for (const std::int64_t atom : {0, 1, 2, 3, 4, 5}) {
        CHECK(unit(units, index, atom) == std::vector<int>{0, 1, 2, 3, 4, 5});
    }
    for (const int atom : {6, 7}) CHECK(unit(units, index, atom) == std::vector<int>{atom});
}

TEST_CASE("a long chain of constraints is one unit") {
    Topology topology;
    MoleculeType chain;
    chain.atoms.resize(100000);
    for (int n = 99999; n > 0; --n) chain.constraints.push_back({n, n - 1, 0.1});
    topology.types = {chain};
    topology.blocks = {{0, 1}};
    const MoleculeUnits units(topology);
    CHECK(units.atoms_of_unit(MoleculeIndex(topology).place(4711)).size() == 100000);
    CHECK(units.first_of_unit(MoleculeIndex(topology).place(99999)) == 0);
}
