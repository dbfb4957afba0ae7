// SPDX-License-Identifier: Apache-2.0
#pragma once

// Squares of numbers that a block turns in shared memory, so that both what it reads and what it writes is in whole
// lines of the memory. Only a .cu includes this.

#include <cstddef>

#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/plane_turning.h"

namespace mdsim::kernels::MDSIM_BACKEND {

inline constexpr unsigned turned_side = gpu::tile_lanes;
inline constexpr unsigned turning_tiles = solve_threads / gpu::tile_lanes;

constexpr unsigned squares_along(unsigned length) {
    return (length + turned_side - 1) / turned_side;
}

/// Without its barrier the kernel is wrong; tests show that this is found.
enum class TurnBarriers { all, none };

// A row of the square is one number longer than it has to be: lanes that walk down a column use different banks.
template <TurnBarriers barriers>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) turn_planes_kernel(TurnPlanesArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const unsigned across = squares_along(args.columns), down = squares_along(args.rows);
    const unsigned lane = static_cast<unsigned>(gpu::tile_lane()), tile = gpu::thread_index() / gpu::tile_lanes;
    const unsigned first_column = gpu::block_index() % across * turned_side;
    const unsigned first_row = gpu::block_index() / across % down * turned_side;
    const std::size_t plane = std::size_t{gpu::block_index() / across / down} * args.rows * args.columns;
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned row = first_row + j + tile, column = first_column + lane;
        if (row < args.rows && column < args.columns) {
            square[j + tile][lane] = args.from[plane + std::size_t{row} * args.columns + column];
        }
    }
    if constexpr (barriers == TurnBarriers::all) gpu::block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned row = first_row + lane, column = first_column + j + tile;
        if (row < args.rows && column < args.columns) {
            args.to[plane + std::size_t{column} * args.rows + row] = square[lane][j + tile];
        }
    }
}

template <TurnBarriers barriers>
void launch_turn_planes(gpu::Stream& stream, const TurnPlanesArgs& args) {
    constexpr gpu::Work work{"kernel turn_planes", "the mesh"};
    const unsigned blocks = args.planes * squares_along(args.rows) * squares_along(args.columns);
    gpu::launch(stream, work, turn_planes_kernel<barriers>, {blocks, solve_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
