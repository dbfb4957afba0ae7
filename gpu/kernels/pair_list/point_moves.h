// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "pairs/cluster_layout.h"
#include "system/lattice.h"

namespace mdsim::kernels {

/// A square above which something is due on the device, without the host's knowing of it.
struct MoveLimit {
    const std::uint32_t* largest = nullptr;  ///< [1], bits of a square [nm^2]; null: it is due in any case
    float square = 0.0f;                     ///< [nm^2]
};

/// How far any of some atoms has moved from where it was.
struct FindMovesArgs {
    const LatticePoint *points = nullptr, *before = nullptr;  ///< [count]
    unsigned count = 0;
    LatticeMetric<float> metric;
    std::uint32_t* largest = nullptr;  ///< [1], bits of the largest square [nm^2], raised
};
MDSIM_LAUNCH_FUNCTION(find_moves, FindMovesArgs);

/// Takes points as those from which moves are counted, where that is due.
struct KeepPointsArgs {
    const LatticePoint* points = nullptr;  ///< [count]
    LatticePoint* kept = nullptr;          ///< out, where it is due
    unsigned count = 0;
    MoveLimit due;
};
MDSIM_LAUNCH_FUNCTION(keep_points, KeepPointsArgs);

}  // namespace mdsim::kernels
