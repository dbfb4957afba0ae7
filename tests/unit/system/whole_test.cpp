// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/whole.h"

#include <catch2/catch.hpp>

using namespace mdsim;

TEST_CASE("parts that only terms join are put beside each other, each in one piece") {
    MoleculeType type;
    type.atoms.resize(5);
    type.bonds = {{0, 1, 100.0, 0.1}, {2, 3, 100.0, 0.1}};
    type.two_atom_terms = {{1, 3, TwoAtomForm::flat_bottomed, {100.0, 0.1, 0.2, 0.3}}};
    Topology topology;
    topology.types = {type};
    topology.blocks = {{0, 1}};
    const Box box = Box::rectangular(2, 2, 2);
    // The second part lies across the upper face and is broken by it; the last atom belongs to nothing.
    std::vector<Vec3d> x{{0.1, 1, 1}, {0.05, 1, 1}, {0.02, 1, 1}, {1.95, 1, 1}, {1.9, 1, 1}};
    make_whole(topology, box, x, "x.gro");
    CHECK(x[3].x == Approx(-0.05));
    CHECK(x[2].x == Approx(0.02));
    CHECK(x[4].x == 1.9);
}
