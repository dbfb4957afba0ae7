// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/half_spectrum.h"
#include "gpu/kernels/mesh/turning_tile.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned pairs_of_block = turned_side / 2;
constexpr Work splitting{"kernel split_rows", "the mesh"};
constexpr Work merging{"kernel merge_rows", "the mesh"};

/// Where a block is: 32 wave numbers of 16 pairs of rows.
struct Corner {
    unsigned k, pair;

    explicit MDSIM_ON_DEVICE Corner(unsigned nz) {
        const unsigned across = squares_along(nz / 2 + 1);
        k = block_index() % across * turned_side;
        pair = block_index() / across * pairs_of_block;
    }
};

unsigned blocks_of(const HalfSpectrumArgs& args) {
    return squares_along(args.nz / 2 + 1) * blocks_for(row_pairs(args.rows), pairs_of_block);
}

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) split_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Corner corner(args.nz);
    const unsigned lane = static_cast<unsigned>(tile_lane()), tile = thread_index() / tile_lanes;
    const unsigned column = corner.k + lane, row = 2 * corner.pair + lane;
    MDSIM_UNROLL
    for (unsigned j = 0; j < pairs_of_block; j += turning_tiles) {
        const unsigned pair = corner.pair + j + tile;
        if (column > args.nz / 2 || pair >= row_pairs(args.rows)) continue;
        const Complex* const line = args.lines + std::size_t{pair} * args.nz;
        const Complex f = line[column], g = line[column == 0 ? 0 : args.nz - column];
        square[lane][2 * (j + tile)] = {f.re + g.re, f.im - g.im};
        square[lane][2 * (j + tile) + 1] = {f.im + g.im, g.re - f.re};
    }
    block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = corner.k + j + tile;
        if (k <= args.nz / 2 && row < args.rows)
            args.spectrum[std::size_t{k} * args.rows + row] = square[j + tile][lane];
    }
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) merge_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Corner corner(args.nz);
    const unsigned lane = static_cast<unsigned>(tile_lane()), tile = thread_index() / tile_lanes;
    const unsigned column = corner.k + lane, row = 2 * corner.pair + lane;
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = corner.k + j + tile;
        const bool inside = k <= args.nz / 2 && row < args.rows;
        square[j + tile][lane] = inside ? args.spectrum[std::size_t{k} * args.rows + row] : Complex{0.0f, 0.0f};
    }
    block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < pairs_of_block; j += turning_tiles) {
        const unsigned pair = corner.pair + j + tile;
        if (column > args.nz / 2 || pair >= row_pairs(args.rows)) continue;
        Complex* const line = args.lines + std::size_t{pair} * args.nz;
        const Complex a = square[lane][2 * (j + tile)], b = square[lane][2 * (j + tile) + 1];
        if (column == 0 || 2 * column == args.nz) {
            line[column] = {a.re, b.re};
        } else {
            line[column] = {a.re - b.im, a.im + b.re};
            line[args.nz - column] = {a.re + b.im, b.re - a.im};
        }
    }
}

void split_rows(Stream& stream, const HalfSpectrumArgs& args) {
    launch(stream, splitting, split_rows_kernel, {blocks_of(args), solve_threads, 0}, args);
}

void merge_rows(Stream& stream, const HalfSpectrumArgs& args) {
    launch(stream, merging, merge_rows_kernel, {blocks_of(args), solve_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
