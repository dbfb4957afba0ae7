// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/pair_list/move_limit.h"
#include "gpu/kernels/tile_rows.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned threads = 128;
constexpr Work finding{"kernel find_moves", "the pair list"};
constexpr Work keeping{"kernel keep_points", "the pair list"};

// Squares are not negative, so their bits are ordered as they are.
MDSIM_ON_DEVICE std::uint32_t square_of_move(const FindMovesArgs& args, unsigned atom) {
    const LatticePoint before = args.before[atom], now = args.points[atom];
    RowPoints row;
    row.x[0] = now.x;
    row.y[0] = now.y;
    row.z[0] = now.z;
    return std::bit_cast<std::uint32_t>(distance(args.metric, row, 0, before.x, before.y, before.z).squared);
}

}  // namespace

// One thread an atom; each tile raises the word once.
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) find_moves_kernel(FindMovesArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    std::uint32_t largest = atom < args.count ? square_of_move(args, atom) : 0u;
    for (int mask = tile_lanes / 2; mask > 0; mask /= 2) {
        const std::uint32_t other = tile_shuffle_xor(largest, mask);
        largest = largest < other ? other : largest;
    }
    if (tile_lane() == 0 && largest > 0) atomic_max(args.largest, largest);
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) keep_points_kernel(KeepPointsArgs args) {
    const unsigned atom = block_index() * threads + thread_index();
    if (atom < args.count && is_due(args.due)) args.kept[atom] = args.points[atom];
}

void find_moves(Stream& stream, const FindMovesArgs& args) {
    launch(stream, finding, find_moves_kernel, {blocks_for(args.count, threads), threads, 0}, args);
}

void keep_points(Stream& stream, const KeepPointsArgs& args) {
    launch(stream, keeping, keep_points_kernel, {blocks_for(args.count, threads), threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
