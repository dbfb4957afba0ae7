// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/vendor/cuda_names.h"
#include "gpu/api/vendor/language.h"

namespace mdsim::gpu {
inline namespace cuda {

MDSIM_ON_DEVICE int tile_lane() {
    return static_cast<int>(threadIdx.x & 31u);
}
MDSIM_ON_DEVICE void tile_barrier() {
    __syncwarp();
}
template <class T>
MDSIM_ON_DEVICE T tile_shuffle(T value, int lane) {
    return by_words(value, [=](int word) { return __shfl_sync(~0u, word, lane); });
}
template <class T>
MDSIM_ON_DEVICE T tile_shuffle_xor(T value, int mask) {
    return by_words(value, [=](int word) { return __shfl_xor_sync(~0u, word, mask); });
}
MDSIM_ON_DEVICE std::uint32_t tile_ballot(bool p) {
    return __ballot_sync(~0u, p);
}
MDSIM_ON_DEVICE int warp_width() {
    return 32;
}
MDSIM_ON_DEVICE std::uint64_t warp_ballot(bool p) {
    return __ballot_sync(~0u, p);
}

// CUDA's atomics know only some of the integer types; these are of the same widths.
template <class T>
using AtomicWord = std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int, unsigned>,
                                      std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>>;
template <class T>
using UnsignedWord = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;

template <class T>
MDSIM_ON_DEVICE T atomic_add(T* address, T value) {
    return static_cast<T>(atomicAdd(reinterpret_cast<UnsignedWord<T>*>(address), static_cast<UnsignedWord<T>>(value)));
}
template <class T>
MDSIM_ON_DEVICE T atomic_max(T* address, T value) {
    return static_cast<T>(atomicMax(reinterpret_cast<AtomicWord<T>*>(address), static_cast<AtomicWord<T>>(value)));
}
template <class T>
MDSIM_ON_DEVICE T atomic_exchange(T* address, T value) {
    return static_cast<T>(atomicExch(reinterpret_cast<UnsignedWord<T>*>(address), static_cast<UnsignedWord<T>>(value)));
}

}  // namespace cuda
}  // namespace mdsim::gpu
