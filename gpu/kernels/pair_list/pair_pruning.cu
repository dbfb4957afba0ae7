// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/pair_list/move_limit.h"
#include "gpu/kernels/pair_list/pair_pruning.h"
#include "gpu/kernels/tile_rows.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr Work work{"kernel prune_pairs", "the pair list"};

/// Whether any atom of the row's cluster is within the radius of one.
MDSIM_ON_DEVICE bool near(const PrunePairsArgs& args, const RowPoints& row, const ClusterPoints& j, int place) {
    const std::uint32_t x = j.x[place], y = j.y[place], z = j.z[place];
    bool found = false;
    MDSIM_UNROLL
    for (int k = 0; k < cluster_size; ++k) found |= distance(args.metric, row, k, x, y, z).squared < args.radius2;
    return found;
}

/// Bit e: a lane of entry e is set.
MDSIM_ON_DEVICE unsigned entries_of(unsigned lanes) {
    unsigned entries = 0;
    for (unsigned e = 0; e < entries_at_a_time; ++e) entries |= (lanes >> cluster_size * e & 0xffu) != 0 ? 1u << e : 0u;
    return entries;
}

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(pair_threads) prune_pairs_kernel(PrunePairsArgs args) {
    MDSIM_SHARED(RowPoints, shared_points, [pair_tiles]);
    const unsigned tile = thread_index() / tile_lanes, index = block_index() * pair_tiles + tile;
    if (index >= args.row_count || !is_due(args.due)) return;
    const int lane = tile_lane(), place = lane % cluster_size;
    const unsigned mine = static_cast<unsigned>(lane) / cluster_size;
    const TileRow row = args.outer.rows[index];
    RowPoints& points = shared_points[tile];
    load_points(args.points[row.cluster], points);
    tile_barrier();
    unsigned count = 0, masked = 0;
    for (std::uint32_t first = row.begin; first < row.end; first += entries_at_a_time) {
        const std::uint32_t entry = first + mine;
        const std::uint32_t cluster = entry < row.end ? args.outer.entries[entry] : row.cluster;
        const bool inside = entry < row.end && near(args, points, args.points[cluster], place);
        const unsigned kept = entries_of(tile_ballot(inside));
        if (place == 0 && (kept >> mine & 1u) != 0) {
            // Entries with masks come first, before and after.
            const unsigned to = count + static_cast<unsigned>(count_bits(kept & lanes_before(static_cast<int>(mine))));
            args.kept.entries[row.begin + to] = cluster;
            if (entry < row.masked_end)
                args.kept.masks[row.masks + to] = args.outer.masks[row.masks + entry - row.begin];
        }
        const std::uint32_t with_mask = row.masked_end > first ? row.masked_end - first : 0;
        const unsigned first_ones = with_mask < entries_at_a_time ? lanes_before(static_cast<int>(with_mask)) : ~0u;
        masked += static_cast<unsigned>(count_bits(kept & first_ones));
        count += static_cast<unsigned>(count_bits(kept));
    }
    if (lane == 0) args.kept.rows[index] = {row.cluster, row.begin, row.begin + masked, row.begin + count, row.masks};
}

void prune_pairs(Stream& stream, const PrunePairsArgs& args) {
    launch(stream, work, prune_pairs_kernel, {blocks_for(args.row_count, pair_tiles), pair_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
