// SPDX-License-Identifier: Apache-2.0
#include "io/topology/split_molecules.h"

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

/// `waters` three-site molecules, one residue each.
MoleculeType waters(int count) {
    MoleculeType whole;
    for (int n = 0; n < count; ++n) {
        whole.residues.push_back({"WAT", n + 1, ""});
        for (const char* name : {"O", "H1", "H2"}) whole.atoms.push_back({name, 0, 0, n, 0.0, 1.0});
    }
    // In an order that mixes molecules, as files have them by hydrogen and without.
    for (int h = 1; h <= 2; ++h) {
        for (int n = 0; n < count; ++n) whole.bonds.push_back({3 * n, 3 * n + h, 100.0, 0.1});
    }
    return whole;
}

}  // namespace

TEST_CASE("Equal molecules are one type and one block") {
    const Topology topology = split_molecules(waters(1000));
    REQUIRE(topology.types.size() == 1);
    REQUIRE(topology.blocks.size() == 1);
    CHECK(topology.blocks[0].count == 1000);
    CHECK(topology.types[0].name == "WAT");
    CHECK(topology.types[0].bonds == std::vector<Bond>{{0, 1, 100.0, 0.1}, {0, 2, 100.0, 0.1}});
    CHECK(topology.types[0].residues[0].number == 1);
    CHECK(topology.atoms() == 3000);
}

TEST_CASE("A difference in a charge, a name, a residue or a parameter makes another type") {
    const auto types_after = [](auto&& change) {
        MoleculeType whole = waters(5);
        change(whole);
        const Topology topology = split_molecules(std::move(whole));
        CHECK(topology.blocks.size() == 3);
        return topology.types.size();
    };
    CHECK(types_after([](MoleculeType& m) { m.atoms[7].charge = 0.1; }) == 2);
    CHECK(types_after([](MoleculeType& m) { m.atoms[7].name.push_back('X'); }) == 2);
    CHECK(types_after([](MoleculeType& m) { m.residues[2].name.push_back('X'); }) == 2);
    CHECK(types_after([](MoleculeType& m) { m.bonds[2].k = 99.0; }) == 2);
}

TEST_CASE("Components whose atoms are not contiguous are merged over their span") {
    MoleculeType whole = waters(4);
    // A bond from the first to the third water takes in the second.
    whole.bonds.push_back({1, 7, 50.0, 0.2});
    const Topology topology = split_molecules(std::move(whole));
    REQUIRE(topology.types.size() == 2);
    CHECK(topology.types[0].size() == 9);
    CHECK(topology.types[0].residues.size() == 3);
    CHECK(topology.types[0].bonds.back() == Bond{1, 7, 50.0, 0.2});
    CHECK(topology.types[1].bonds[0] == Bond{0, 1, 100.0, 0.1});
    CHECK(topology.types[1].residues[0].number == 4);
}
