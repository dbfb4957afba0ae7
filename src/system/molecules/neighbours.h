// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "system/terms.h"

namespace mdsim {

/// Atoms that are few bonds apart, by the shortest way along the bonds; i < j, sorted, each pair once.
struct Neighbours {
    std::vector<Exclusion> within_two;  ///< one or two bonds apart
    std::vector<Exclusion> at_three;
};

/// `bonds` join atoms 0 ... atoms - 1.
Neighbours find_neighbours(int atoms, const std::vector<Exclusion>& bonds);

}  // namespace mdsim
