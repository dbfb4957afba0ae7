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

/// Where a thread is. A block has 32 wave numbers of 16 pairs of rows.
struct Place {
    unsigned lane, tile;
    unsigned k, pair;    // the block's first
    unsigned wave, row;  // the lane's wave number along a line, and its row in the spectrum

    explicit MDSIM_ON_DEVICE Place(unsigned nz)
        : lane(static_cast<unsigned>(tile_lane())), tile(thread_index() / tile_lanes) {
        const unsigned across = squares_along(nz / 2 + 1);
        k = block_index() % across * turned_side;
        pair = block_index() / across * pairs_of_block;
        wave = k + lane;
        row = 2 * pair + lane;
    }
};

unsigned blocks_of(const HalfSpectrumArgs& args) {
    return squares_along(args.nz / 2 + 1) * blocks_for(row_pairs(args.rows), pairs_of_block);
}

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) split_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Place at(args.nz);
    MDSIM_UNROLL
    for (unsigned j = 0; j < pairs_of_block; j += turning_tiles) {
        const unsigned pair = at.pair + j + at.tile;
        if (at.wave > args.nz / 2 || pair >= row_pairs(args.rows)) continue;
        const Complex* const line = args.lines + std::size_t{pair} * args.nz;
        const Complex f = line[at.wave], g = line[at.wave == 0 ? 0 : args.nz - at.wave];
        square[at.lane][2 * (j + at.tile)] = {f.re + g.re, f.im - g.im};
        square[at.lane][2 * (j + at.tile) + 1] = {f.im + g.im, g.re - f.re};
    }
    block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = at.k + j + at.tile;
        if (k <= args.nz / 2 && at.row < args.rows) {
            args.spectrum[std::size_t{k} * args.rows + at.row] = square[j + at.tile][at.lane];
        }
    }
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) merge_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Place at(args.nz);
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = at.k + j + at.tile;
        const bool inside = k <= args.nz / 2 && at.row < args.rows;
        square[j + at.tile][at.lane] =
            inside ? args.spectrum[std::size_t{k} * args.rows + at.row] : Complex{0.0f, 0.0f};
    }
    block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < pairs_of_block; j += turning_tiles) {
        const unsigned pair = at.pair + j + at.tile;
        if (at.wave > args.nz / 2 || pair >= row_pairs(args.rows)) continue;
        Complex* const line = args.lines + std::size_t{pair} * args.nz;
        const Complex a = square[at.lane][2 * (j + at.tile)], b = square[at.lane][2 * (j + at.tile) + 1];
        if (at.wave == 0 || 2 * at.wave == args.nz) {
            line[at.wave] = {a.re, b.re};
        } else {
            line[at.wave] = {a.re - b.im, a.im + b.re};
            line[args.nz - at.wave] = {a.re + b.im, b.re - a.im};
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
