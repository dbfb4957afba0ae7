// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/half_spectrum.h"
#include "gpu/kernels/mesh/turning_tile.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr unsigned lines_of_block = turned_side / 2;
constexpr Work splitting{"kernel split_rows", "the mesh"};
constexpr Work merging{"kernel merge_rows", "the mesh"};

constexpr unsigned lines_of(const HalfSpectrumArgs& args) {
    return plane_pairs(args.planes) * args.rows;
}

/// Where a thread is. A block has 32 wave numbers of 16 lines, whose first rows are in the first half of its square's
/// columns and whose second rows are in the other.
struct Place {
    unsigned lane, tile;
    unsigned k, line;  // the block's first
    unsigned wave;     // the lane's wave number along a line
    bool inside;       // whether its row is in the spectrum,
    std::size_t row;   // and where in a plane of that

    explicit MDSIM_ON_DEVICE Place(const HalfSpectrumArgs& args)
        : lane(static_cast<unsigned>(tile_lane())), tile(thread_index() / tile_lanes) {
        const unsigned across = squares_along(args.nz / 2 + 1);
        k = block_index() % across * turned_side;
        line = block_index() / across * lines_of_block;
        wave = k + lane;
        const unsigned of_row = line + lane % lines_of_block;
        const unsigned plane = of_row / args.rows * 2 + lane / lines_of_block;
        inside = of_row < lines_of(args) && plane < args.planes;
        row = std::size_t{plane} * args.rows + of_row % args.rows;
    }
};

unsigned blocks_of(const HalfSpectrumArgs& args) {
    return squares_along(args.nz / 2 + 1) * blocks_for(lines_of(args), lines_of_block);
}

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) split_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Place at(args);
    MDSIM_UNROLL
    for (unsigned j = 0; j < lines_of_block; j += turning_tiles) {
        const unsigned line = at.line + j + at.tile;
        if (at.wave > args.nz / 2 || line >= lines_of(args)) continue;
        const Complex* const numbers = args.lines + std::size_t{line} * args.nz;
        const Complex f = numbers[at.wave], g = numbers[at.wave == 0 ? 0 : args.nz - at.wave];
        square[at.lane][j + at.tile] = {f.re + g.re, f.im - g.im};
        square[at.lane][j + at.tile + lines_of_block] = {f.im + g.im, g.re - f.re};
    }
    block_barrier();
    const std::size_t plane = std::size_t{args.planes} * args.rows;
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = at.k + j + at.tile;
        if (k <= args.nz / 2 && at.inside) args.spectrum[k * plane + at.row] = square[j + at.tile][at.lane];
    }
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) merge_rows_kernel(HalfSpectrumArgs args) {
    MDSIM_SHARED(Complex, square, [turned_side][turned_side + 1]);
    const Place at(args);
    const std::size_t plane = std::size_t{args.planes} * args.rows;
    MDSIM_UNROLL
    for (unsigned j = 0; j < turned_side; j += turning_tiles) {
        const unsigned k = at.k + j + at.tile;
        const bool inside = k <= args.nz / 2 && at.inside;
        square[j + at.tile][at.lane] = inside ? args.spectrum[k * plane + at.row] : Complex{0.0f, 0.0f};
    }
    block_barrier();
    MDSIM_UNROLL
    for (unsigned j = 0; j < lines_of_block; j += turning_tiles) {
        const unsigned line = at.line + j + at.tile;
        if (at.wave > args.nz / 2 || line >= lines_of(args)) continue;
        Complex* const numbers = args.lines + std::size_t{line} * args.nz;
        const Complex a = square[at.lane][j + at.tile], b = square[at.lane][j + at.tile + lines_of_block];
        if (at.wave == 0 || 2 * at.wave == args.nz) {
            numbers[at.wave] = {a.re, b.re};
        } else {
            numbers[at.wave] = {a.re - b.im, a.im + b.re};
            numbers[args.nz - at.wave] = {a.re + b.im, b.re - a.im};
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
