// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language of kernels: the only header that a .cu includes for it. The same words for nvcc, for clang as a HIP
// compiler, and for a C++ compiler whose threads are fibres (host/). Each back end has an inline namespace of its own:
// in one namespace the linker would take one back end's inline functions for those of another.
//
// Threads come in tiles of 32, on every device. Where the hardware has 64 lanes, a warp carries two tiles, which are
// independent. All lanes of a tile take part in each of its operations, all threads of a block in its barrier.
//
//   MDSIM_KERNEL f(Args args)               a kernel (returns void): one argument, a struct of plain data
//   MDSIM_LAUNCH_BOUNDS(n)                  between MDSIM_KERNEL and the name: threads of a block
//   MDSIM_ON_DEVICE                         a function that only kernels call
//   MDSIM_SHARED(T, name, [4][32])          an array shared by the block, full of garbage at first
//   MDSIM_DYNAMIC_SHARED(T, name)           the block's dynamic shared memory
//   MDSIM_UNROLL                            before a loop whose array must stay in registers
//   thread_index() block_index() block_threads() grid_blocks()     along one dimension
//   tile_lane()                             0 ... 31
//   tile_barrier() block_barrier()          with what was written before visible to all after
//   tile_shuffle(v, lane) tile_shuffle_xor(v, mask)                v of another lane; plain data of whole 32-bit words
//   tile_ballot(p) tile_any(p) tile_all(p)  bit i: p of lane i
//   warp_width() warp_ballot(p)             of the hardware: 32 or 64; all its lanes take part
//   atomic_add, atomic_max, atomic_exchange (address, value): 32- or 64-bit integers in global or shared memory; they
//                                           return what was there
//   count_bits fused nearest_int nearest_int64 inverse_sqrt        arithmetic with the same bits wherever it says so
//   launch(stream, work, kernel, shape, args)                      host side

#include "gpu/api/launch.h"

#if defined(__CUDACC__)
#include "gpu/api/vendor/cuda_language.h"
#elif defined(__HIP__)
#include "gpu/api/vendor/hip_language.h"
#else
#include "gpu/api/host/language.h"
#endif

namespace mdsim::gpu {
inline namespace MDSIM_BACKEND {

inline constexpr int tile_lanes = 32;

/// Bits of the lanes before this one.
MDSIM_ON_DEVICE unsigned lanes_before(int lane) {
    return (1u << lane) - 1u;
}

/// The sum over the tile, in every lane; integers only, since the order of floats would matter.
template <class Integer>
MDSIM_ON_DEVICE Integer tile_sum(Integer value) {
    for (int mask = tile_lanes / 2; mask > 0; mask /= 2) value += tile_shuffle_xor(value, mask);
    return value;
}

}  // namespace MDSIM_BACKEND
}  // namespace mdsim::gpu
