// SPDX-License-Identifier: Apache-2.0
#pragma once

// The language of kernels for a C++ compiler. Included by gpu/api/kernel.h.

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gpu/api/host/driver.h"
#include "gpu/api/host/executor.h"

#define MDSIM_BACKEND host
#define MDSIM_KERNEL void
#define MDSIM_LAUNCH_BOUNDS(threads)
#define MDSIM_ON_DEVICE inline
#define MDSIM_UNROLL
#define MDSIM_SHARED(T, name, extents)                \
    static const char name##_site = 0;                \
    using name##_array = T extents;                   \
    name##_array& name = *static_cast<name##_array*>( \
        ::mdsim::gpu::executor::shared(&name##_site, sizeof(name##_array), alignof(name##_array)))
#define MDSIM_DYNAMIC_SHARED(T, name) T* name = static_cast<T*>(::mdsim::gpu::executor::shared(nullptr, 0, alignof(T)))

namespace mdsim::gpu {
inline namespace host {

inline unsigned thread_index() {
    return executor::position.thread;
}
inline unsigned block_index() {
    return executor::position.block;
}
inline unsigned block_threads() {
    return executor::position.block_threads;
}
inline unsigned grid_blocks() {
    return executor::position.grid_blocks;
}
inline int tile_lane() {
    return static_cast<int>(thread_index() & 31u);
}
inline int warp_width() {
    return executor::position.warp_width;
}

// The line of the call is how threads that went different ways are told apart.
inline void block_barrier(int line = __builtin_LINE()) {
    executor::barrier(executor::Group::block, line);
}
inline void tile_barrier(int line = __builtin_LINE()) {
    executor::barrier(executor::Group::tile, line);
}
template <class T>
T tile_shuffle(T value, int lane, int line = __builtin_LINE()) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % 4 == 0 && sizeof(T) <= executor::largest_value);
    executor::shuffle(&value, sizeof(T), lane & 31, line);
    return value;
}
template <class T>
T tile_shuffle_xor(T value, int mask, int line = __builtin_LINE()) {
    return tile_shuffle(value, tile_lane() ^ mask, line);
}
inline std::uint32_t tile_ballot(bool p, int line = __builtin_LINE()) {
    return static_cast<std::uint32_t>(executor::ballot(executor::Group::tile, p, line));
}
inline bool tile_any(bool p, int line = __builtin_LINE()) {
    return tile_ballot(p, line) != 0;
}
inline bool tile_all(bool p, int line = __builtin_LINE()) {
    return tile_ballot(p, line) == ~0u;
}
inline std::uint64_t warp_ballot(bool p, int line = __builtin_LINE()) {
    return executor::ballot(executor::Group::warp, p, line);
}

template <class T>
T atomic_add(T* address, T value) {
    return std::atomic_ref<T>(*address).fetch_add(value, std::memory_order_relaxed);
}
template <class T>
T atomic_max(T* address, T value) {
    std::atomic_ref<T> there(*address);
    T old = there.load(std::memory_order_relaxed);
    while (old < value && !there.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
    }
    return old;
}
template <class T>
T atomic_exchange(T* address, T value) {
    return std::atomic_ref<T>(*address).exchange(value, std::memory_order_relaxed);
}

inline int count_bits(std::uint32_t bits) {
    return std::popcount(bits);
}
inline float fused(float a, float b, float c) {
    return std::fma(a, b, c);
}
inline double fused(double a, double b, double c) {
    return std::fma(a, b, c);
}
/// Ties to even; held at the ends of the range.
inline std::int32_t nearest_int(float value) {
    constexpr long lowest = std::numeric_limits<std::int32_t>::min(),
                   highest = std::numeric_limits<std::int32_t>::max();
    const long rounded = std::lrint(value);
    return static_cast<std::int32_t>(rounded < lowest ? lowest : rounded > highest ? highest : rounded);
}
inline std::int64_t nearest_int64(float value) {
    return std::llrint(value);
}
inline float inverse_sqrt(float value) {
    return 1.0f / std::sqrt(value);
}

/// Puts a kernel into a stream.
template <class Args>
void launch(Stream& stream, const Work& work, void (*kernel)(Args), const LaunchShape& shape, const Args& args) {
    static_assert(std::is_trivially_copyable_v<Args>);
    if (shape.blocks == 0) return;
    stream.begin(work);
    const executor::Grid grid{shape.blocks, shape.threads, shape.shared_bytes};
    static_cast<HostDriver&>(stream.driver())
        .launch(
            stream.handle(), grid, [kernel, args] { kernel(args); }, work);
    stream.end();
}

}  // namespace host
}  // namespace mdsim::gpu
