// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "system/topology.h"

namespace mdsim {

/// Which atoms of a molecule are bonded, for pictures and files: bonds, connections, fixed distances and rigid waters,
/// i < j, sorted, each once. The distance between the hydrogens of a rigid water is for the geometry only and is none.
std::vector<Exclusion> drawn_bonds(const MoleculeType& type);

}  // namespace mdsim
