// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "system/topology.h"

namespace mdsim::gromacs {

/// All pairs of atoms that at most `distance` bonds separate, sorted and unique.
std::vector<Exclusion> bonded_neighbours(int atoms, const std::vector<Exclusion>& bonds, int distance);

}  // namespace mdsim::gromacs
