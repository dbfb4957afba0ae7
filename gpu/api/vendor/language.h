// SPDX-License-Identifier: Apache-2.0
#pragma once

// What CUDA and HIP share. Included by cuda_language.h and hip_language.h, which define MDSIM_BACKEND and MDSIM_VENDOR.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "gpu/api/vendor/check.h"

#define MDSIM_KERNEL __global__ void
#define MDSIM_LAUNCH_BOUNDS(threads) __launch_bounds__(threads)
#define MDSIM_ON_DEVICE __device__ __forceinline__
#define MDSIM_UNROLL _Pragma("unroll")
#define MDSIM_SHARED(T, name, extents) __shared__ T name extents
#define MDSIM_DYNAMIC_SHARED(T, name)                                    \
    extern __shared__ __align__(16) unsigned char mdsim_dynamic_bytes[]; \
    T* name = reinterpret_cast<T*>(mdsim_dynamic_bytes)

namespace mdsim::gpu {
inline namespace MDSIM_BACKEND {

MDSIM_ON_DEVICE unsigned thread_index() {
    return threadIdx.x;
}
MDSIM_ON_DEVICE unsigned block_index() {
    return blockIdx.x;
}
MDSIM_ON_DEVICE unsigned block_threads() {
    return blockDim.x;
}
MDSIM_ON_DEVICE unsigned grid_blocks() {
    return gridDim.x;
}
MDSIM_ON_DEVICE void block_barrier() {
    __syncthreads();
}

/// Plain data through an operation on 32-bit words.
template <class T, class Operation>
MDSIM_ON_DEVICE T by_words(T value, Operation operation) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0);
    int words[sizeof(T) / 4];
    std::memcpy(words, &value, sizeof(T));
    MDSIM_UNROLL
    for (unsigned i = 0; i < sizeof(T) / 4; ++i) words[i] = operation(words[i]);
    std::memcpy(&value, words, sizeof(T));
    return value;
}

MDSIM_ON_DEVICE std::uint32_t tile_ballot(bool p);
MDSIM_ON_DEVICE bool tile_any(bool p) {
    return tile_ballot(p) != 0;
}
MDSIM_ON_DEVICE bool tile_all(bool p) {
    return tile_ballot(p) == ~0u;
}

MDSIM_ON_DEVICE int count_bits(std::uint32_t bits) {
    return __popc(bits);
}
MDSIM_ON_DEVICE float fused(float a, float b, float c) {
    return __fmaf_rn(a, b, c);
}
MDSIM_ON_DEVICE double fused(double a, double b, double c) {
    return __fma_rn(a, b, c);
}
MDSIM_ON_DEVICE std::int32_t nearest_int(float value) {
    return __float2int_rn(value);
}
MDSIM_ON_DEVICE std::int64_t nearest_int64(float value) {
    return __float2ll_rn(value);
}
/// To the last bit or the last but one: not the same on every device.
MDSIM_ON_DEVICE float inverse_sqrt(float value) {
    return rsqrtf(value);
}

/// Puts a kernel into a stream: the only place where one is launched.
template <class Args>
void launch(Stream& stream, const Work& work, void (*kernel)(Args), const LaunchShape& shape, const Args& args) {
    static_assert(std::is_trivially_copyable_v<Args>);
    if (shape.blocks == 0) return;
    stream.driver().make_current(work);
    stream.begin(work);
    constexpr std::size_t granted = 48 * 1024;  // more has to be asked for
    if (shape.shared_bytes > granted) {
        check(MDSIM_VENDOR(FuncSetAttribute)(reinterpret_cast<const void*>(kernel),
                                             MDSIM_VENDOR(FuncAttributeMaxDynamicSharedMemorySize),
                                             static_cast<int>(shape.shared_bytes)),
              work);
    }
    // What <<<>>> does, but for its error: that is whatever anybody, other libraries too, has left in this thread.
    void* arguments[] = {const_cast<Args*>(&args)};
    check(
        MDSIM_VENDOR(LaunchKernel)(reinterpret_cast<const void*>(kernel), dim3(shape.blocks), dim3(shape.threads),
                                   arguments, shape.shared_bytes, static_cast<MDSIM_VENDOR(Stream_t)>(stream.handle())),
        work);
    stream.end();
}

}  // namespace MDSIM_BACKEND
}  // namespace mdsim::gpu
