// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rows of the pair list in kernels. Only a .cu includes this. A tile has the eight atoms of its row's cluster in shared
// memory and takes four entries at a time: each lane has one of their 32 atoms in registers and meets the eight one
// after the other, so that no lane waits for another until the row is done.

#include "gpu/api/kernel.h"
#include "pairs/cluster_layout.h"

namespace mdsim::kernels::MDSIM_BACKEND {

inline constexpr unsigned pair_threads = 128;
inline constexpr unsigned pair_tiles = pair_threads / gpu::tile_lanes;
inline constexpr unsigned entries_at_a_time = gpu::tile_lanes / cluster_size;

/// The atoms of a row's cluster in shared memory.
struct RowPoints {
    std::uint32_t x[cluster_size], y[cluster_size], z[cluster_size];
};

/// By the first eight lanes; a barrier has to follow.
MDSIM_ON_DEVICE void load_points(const ClusterPoints& from, RowPoints& to) {
    const int k = gpu::tile_lane();
    if (k >= cluster_size) return;
    to.x[k] = from.x[k];
    to.y[k] = from.y[k];
    to.z[k] = from.z[k];
}

struct Distance {
    float x, y, z;  // [nm]
    float squared;
};

/// From j to i. Differences are exact, so those of (j, i) have the same bits but for the sign.
MDSIM_ON_DEVICE Distance distance(const LatticeMetric<float>& m, const RowPoints& i, int k, std::uint32_t x,
                                  std::uint32_t y, std::uint32_t z) {
    const auto dx = static_cast<float>(static_cast<std::int32_t>(i.x[k] - x));
    const auto dy = static_cast<float>(static_cast<std::int32_t>(i.y[k] - y));
    const auto dz = static_cast<float>(static_cast<std::int32_t>(i.z[k] - z));
    Distance d;
    d.x = gpu::fused(dx, m.xx, gpu::fused(dy, m.yx, dz * m.zx));
    d.y = gpu::fused(dy, m.yy, dz * m.zy);
    d.z = dz * m.zz;
    d.squared = gpu::fused(d.x, d.x, gpu::fused(d.y, d.y, d.z * d.z));
    return d;
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
