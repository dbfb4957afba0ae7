// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/topology.h"
#include "tests/unit/short_range/liquid.h"

namespace mdsim::test {

/// A liquid as one molecule, whose atoms any rank may have.
inline Topology topology_of(const Liquid& liquid) {
    Topology topology;
    topology.force_field = liquid.force_field;
    MoleculeType& all = topology.types.emplace_back();
    for (std::size_t i = 0; i < liquid.x.size(); ++i) {
        all.atoms.push_back({.name = "X", .type = liquid.types[i], .charge = liquid.charges[i], .mass = 1.0});
    }
    all.exclusions = liquid.exclusions;
    topology.blocks = {{0, 1}};
    return topology;
}

}  // namespace mdsim::test
