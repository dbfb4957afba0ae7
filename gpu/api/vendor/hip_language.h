// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/vendor/hip_names.h"
#include "gpu/api/vendor/language.h"

namespace mdsim::gpu {
inline namespace hip {

MDSIM_ON_DEVICE int tile_lane() {
    return static_cast<int>(threadIdx.x & 31u);
}
/// A wave runs in lock step: only the compiler and the order of memory have to be held. On both sides, since what is
/// behind a fence may be moved before the barrier.
MDSIM_ON_DEVICE void tile_barrier() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}
template <class T>
MDSIM_ON_DEVICE T tile_shuffle(T value, int lane) {
    return by_words(value, [=](int word) { return __shfl(word, lane, 32); });
}
template <class T>
MDSIM_ON_DEVICE T tile_shuffle_xor(T value, int mask) {
    return by_words(value, [=](int word) { return __shfl_xor(word, mask, 32); });
}
MDSIM_ON_DEVICE std::uint32_t tile_ballot(bool p) {
    return static_cast<std::uint32_t>(__ballot(p) >> (__lane_id() & 32u));
}
MDSIM_ON_DEVICE int warp_width() {
    return warpSize;
}
MDSIM_ON_DEVICE std::uint64_t warp_ballot(bool p) {
    return __ballot(p);
}

template <class T>
MDSIM_ON_DEVICE T atomic_add(T* address, T value) {
    return __hip_atomic_fetch_add(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
MDSIM_ON_DEVICE T atomic_max(T* address, T value) {
    return __hip_atomic_fetch_max(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}
template <class T>
MDSIM_ON_DEVICE T atomic_exchange(T* address, T value) {
    return __hip_atomic_exchange(address, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

}  // namespace hip
}  // namespace mdsim::gpu
