// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/row_packing.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr float unit = 0x1p-25f;
constexpr int limit_bits = 24 + 6;
constexpr Work work{"kernel pack_rows", "the mesh"};

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) pack_rows_kernel(PackRowsArgs args) {
    const unsigned i = block_index() * solve_threads + thread_index(), pair = i / args.nz;
    if (pair >= row_pairs(args.rows)) return;
    std::int32_t* const even = args.grid + (i + pair * args.nz);
    const bool odd_row = 2 * pair + 1 < args.rows;
    const std::int32_t a = *even, b = odd_row ? even[args.nz] : 0;
    *even = 0;
    if (odd_row) even[args.nz] = 0;
    args.lines[i] = {static_cast<float>(a) * unit, static_cast<float>(b) * unit};
    if ((((a ^ a >> 31) | (b ^ b >> 31)) >> limit_bits) != 0) atomic_max(&args.flags->out_of_range, 1u);
}

void pack_rows(Stream& stream, const PackRowsArgs& args) {
    const std::size_t numbers = std::size_t{row_pairs(args.rows)} * args.nz;
    launch(stream, work, pack_rows_kernel, {blocks_for(numbers, solve_threads), solve_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
