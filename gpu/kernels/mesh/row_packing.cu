// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "gpu/kernels/mesh/row_packing.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {

constexpr float unit = 0x1p-25f;
constexpr int limit_bits = 24 + 6;
constexpr Work work{"kernel pack_rows", "the mesh"};

/// A number of each of two rows, as a device moves them.
struct alignas(8) Pair {
    std::int32_t even, odd;
};

}  // namespace

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(solve_threads) pack_rows_kernel(PackRowsArgs args) {
    const unsigned i = block_index() * solve_threads + thread_index();
    if (i >= args.numbers) return;
    Pair& at = reinterpret_cast<Pair*>(args.grid)[i];
    const std::int32_t a = at.even, b = at.odd;
    at = {0, 0};
    args.lines[i] = {static_cast<float>(a) * unit, static_cast<float>(b) * unit};
    if ((((a ^ a >> 31) | (b ^ b >> 31)) >> limit_bits) != 0) atomic_max(&args.flags->out_of_range, 1u);
}

void pack_rows(Stream& stream, const PackRowsArgs& args) {
    launch(stream, work, pack_rows_kernel, {blocks_for(args.numbers, solve_threads), solve_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
