// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "gpu/api/settings.h"

/// Runs a kernel on the CPU: each of its threads is a fibre, which gives way to others only where threads of a device
/// wait for each other (barriers, shuffles, ballots). Between those points there is no lock step, so a result that
/// needs a barrier which is not there depends on the order of threads, which a seed shuffles. Blocks go over the
/// threads of OpenMP.
namespace mdsim::gpu::executor {

/// What a kernel may ask where it is; of the thread that is running.
struct Position {
    unsigned thread = 0, block = 0;
    unsigned block_threads = 0, grid_blocks = 0;
    int warp_width = 32;
};
extern constinit thread_local Position position;

/// Threads that meet at an operation.
enum class Group { tile, warp, block };
enum class Meeting : unsigned char { none, barrier, shuffle, ballot };

inline constexpr std::size_t largest_value = 64;  ///< of a shuffle [bytes]

/// Returns when all threads of the group are here. line: where it stands in the kernel; all must have come to the same.
void barrier(Group group, int line);
/// value: of the thread `source` of the tile, whatever that one gave here; in place.
void shuffle(void* value, std::size_t bytes, int source, int line);
/// Bit i: p of the i-th thread of the group (a tile or a warp).
std::uint64_t ballot(Group group, bool p, int line);
/// The block's shared array that `site` stands for, full of set bits at first. null: the dynamic shared memory.
void* shared(const void* site, std::size_t bytes, std::size_t alignment);

/// A kernel did what a device would not survive, or not the same way each time.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Grid {
    unsigned blocks = 0, threads = 0;
    std::size_t dynamic_bytes = 0;
};

/// Runs the kernel in every thread. number: of the launch, for another shuffling each time.
void run(const HostSettings& settings, std::uint64_t number, const Grid& grid, const std::function<void()>& kernel);

}  // namespace mdsim::gpu::executor
