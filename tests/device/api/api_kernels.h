// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"

/// Kernels that say what the operations of gpu/api/kernel.h do. Arrays are on the device.
namespace mdsim::kernels {

struct Pattern {
    std::uint32_t a, b, c;
    friend bool operator==(const Pattern&, const Pattern&) = default;
};

/// One of each for every thread of the grid.
struct TileResults {
    std::uint32_t lane, next_lane, partner, ballot, sum;
    std::int32_t any, all, warp_bits;
    Pattern pattern;
    friend bool operator==(const TileResults&, const TileResults&) = default;
};

struct TileArgs {
    const std::uint32_t* values;
    TileResults* results;
};
MDSIM_LAUNCH_FUNCTION(test_tile, TileArgs);

enum class Fault {
    none,
    no_barrier_before_read,   ///< of the neighbour's value
    no_barrier_before_write,  ///< so that the next round's value overtakes
    no_tile_barrier,          ///< in the second half
};

/// Each block's prefix sums of its values in shared memory, then each tile's reversal of them.
struct ScanArgs {
    const std::uint32_t* values;
    std::uint32_t* results;
    unsigned blocks;
    Fault fault;  ///< which of the kernels, made without a barrier
};
MDSIM_LAUNCH_FUNCTION(test_scan, ScanArgs);

/// The block's values backwards, through dynamic shared memory.
struct ReverseArgs {
    const std::uint32_t* values;
    std::uint32_t* results;
    unsigned blocks, threads;
};
MDSIM_LAUNCH_FUNCTION(test_reverse, ReverseArgs);

/// What all threads do to one number of each kind. value: of each thread.
template <class T>
struct AtomicNumbers {
    T sum, largest, last, shared_sum;
};
struct AtomicArgs {
    AtomicNumbers<std::int32_t>* i32;
    AtomicNumbers<std::uint32_t>* u32;
    AtomicNumbers<std::int64_t>* i64;
    AtomicNumbers<std::uint64_t>* u64;
    unsigned* seen;  ///< [1]: exchanges that met the number of another thread
    unsigned blocks;
};
MDSIM_LAUNCH_FUNCTION(test_atomics, AtomicArgs);

/// What a device does not survive; on the host back end it is named.
enum class Crime { half_a_tile, half_a_block, ended_early, two_barriers, too_much_shared };
struct CrimeArgs {
    Crime crime;
    int* result;
};
MDSIM_LAUNCH_FUNCTION(test_crime, CrimeArgs);

/// to[i] = from[i] + 1.
struct AddArgs {
    const std::uint32_t* from;
    std::uint32_t* to;
    unsigned size;
};
MDSIM_LAUNCH_FUNCTION(test_add_one, AddArgs);

}  // namespace mdsim::kernels
