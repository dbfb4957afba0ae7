// SPDX-License-Identifier: Apache-2.0
#include "system/molecules/molecule_runs.h"

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {
MoleculeType molecule(std::size_t atoms) {
    MoleculeType type;
    type.atoms.resize(atoms);
    return type;
}
}  // namespace

TEST_CASE("runs of a list of ids are its molecules, however the list is cut into ranges") {
    Topology topology;
    topology.types = {molecule(10), molecule(3), molecule(1)};
    topology.blocks = {{0, 1}, {1, 4}, {2, 2}, {1, 1}};  // atoms from 0, 10, 22, 24
    const MoleculeIndex index(topology);
    const std::vector<std::int64_t> ids{1, 4, 9, 10, 11, 12, 14, 16, 17, 18, 19, 20, 22, 23, 26};
    struct Seen {
        std::int64_t molecule, first_atom;
        std::size_t begin, end;
        bool whole;
        bool operator==(const Seen&) const = default;
    };
    const std::vector<Seen> expected{{0, 0, 0, 3, false},   {1, 10, 3, 6, true},    {2, 13, 6, 7, false},
                                     {3, 16, 7, 10, true},  {4, 19, 10, 12, false}, {5, 22, 12, 13, true},
                                     {6, 23, 13, 14, true}, {7, 24, 14, 15, false}};
    for (std::size_t range = 1; range <= ids.size(); ++range) {
        std::vector<Seen> seen;
        for (std::size_t begin = 0; begin < ids.size(); begin += range) {
            for_each_molecule_run(index, ids, begin, std::min(ids.size(), begin + range), [&](const MoleculeRun& run) {
                seen.push_back({run.molecule, run.first_atom, run.begin, run.end, run.whole()});
            });
        }
        CHECK(seen == expected);
    }
}
