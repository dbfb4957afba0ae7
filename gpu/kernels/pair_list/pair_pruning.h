// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/pair_list/point_moves.h"
#include "pairs/device/tile_list.h"

namespace mdsim::kernels {

/// A pair list on a device; extents of the arrays as of a TileList.
struct TilePairs {
    TileRow* rows = nullptr;
    std::uint32_t* entries = nullptr;
    std::uint64_t* masks = nullptr;
};

/// Keeps of each row of the outer list the entries with an atom nearer than the radius to one of the row's cluster, at
/// the front of the row's own range and in their order: the pruned list needs no memory that is not there, and is the
/// same in any order of threads.
struct PrunePairsArgs {
    TilePairs outer;
    TilePairs kept;  ///< out; of the same extents
    unsigned row_count = 0;
    const ClusterPoints* points = nullptr;
    LatticeMetric<float> metric;
    float radius2 = 0.0f;  ///< [nm^2]
    MoveLimit due;         ///< where it is not, what was kept before stays
};
MDSIM_LAUNCH_FUNCTION(prune_pairs, PrunePairsArgs);

}  // namespace mdsim::kernels
