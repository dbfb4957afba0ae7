// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace mdsim::gpu {

/// Which of the threads that could go on does so.
enum class ThreadOrder {
    forward,   ///< the first; streams run what they are given at once
    shuffled,  ///< any, by a seed: blocks, threads, and (later than asked, as a device does) the streams
};

/// How the host back end plays a device. All of these must give the same results: where they do not, a kernel has a
/// race or a stream lacks a wait.
struct HostSettings {
    int warp_width = 32;  ///< 32 or 64
    ThreadOrder order = ThreadOrder::forward;
    std::uint64_t seed = 0;
    std::size_t shared_bytes = 48 * 1024;   ///< shared memory of a block [bytes]
    std::size_t memory = SIZE_MAX;          ///< of the device [bytes]; what goes beyond is refused
    std::uint64_t lost_after = UINT64_MAX;  ///< operations in streams until the device is lost
};

}  // namespace mdsim::gpu
