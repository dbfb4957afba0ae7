// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/kernel.h"
#include "tests/device/api/api_kernels.h"

namespace mdsim::kernels::MDSIM_BACKEND {

using namespace mdsim::gpu;

namespace {
constexpr unsigned threads = 128;
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) tile_kernel(TileArgs args) {
    const unsigned i = block_index() * block_threads() + thread_index();
    const std::uint32_t value = args.values[i];
    const int lane = tile_lane();
    TileResults r;
    r.lane = static_cast<std::uint32_t>(lane);
    r.next_lane = tile_shuffle(value, (lane + 1) % 32);
    r.partner = tile_shuffle_xor(value, 5);
    r.ballot = tile_ballot(value % 3 == 0);
    r.sum = tile_sum(value);
    r.any = tile_any(value % 64 == 0);
    r.all = tile_all(value < 4000000000u);
    r.warp_bits = count_bits(static_cast<std::uint32_t>(warp_ballot(true) >> (warp_width() - 32)));
    r.pattern = tile_shuffle(Pattern{value, value + 1, value + 2}, 31 - lane);
    args.results[i] = r;
}

template <Fault fault>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) scan_kernel(ScanArgs args) {
    MDSIM_SHARED(std::uint32_t, sums, [threads]);
    MDSIM_SHARED(std::uint32_t, reversed, [threads / 32][32]);
    const unsigned t = thread_index();
    const unsigned i = block_index() * threads + t;
    sums[t] = args.values[i];
    for (unsigned reach = 1; reach < threads; reach *= 2) {
        if constexpr (fault != Fault::no_barrier_before_read) block_barrier();
        const std::uint32_t before = t >= reach ? sums[t - reach] : 0;
        if constexpr (fault != Fault::no_barrier_before_write) block_barrier();
        sums[t] += before;
    }
    reversed[t / 32][t % 32] = sums[t];
    if constexpr (fault != Fault::no_tile_barrier) tile_barrier();
    args.results[i] = reversed[t / 32][31 - t % 32];
}

MDSIM_KERNEL reverse_kernel(ReverseArgs args) {
    MDSIM_DYNAMIC_SHARED(std::uint32_t, kept);
    const unsigned t = thread_index(), n = block_threads();
    kept[t] = args.values[block_index() * n + t];
    block_barrier();
    args.results[block_index() * n + t] = kept[n - 1 - t];
}

template <class T>
MDSIM_ON_DEVICE void change(AtomicNumbers<T>* numbers, T* shared_sum, T value, unsigned* seen) {
    if (thread_index() == 0) *shared_sum = 0;
    block_barrier();
    atomic_add(shared_sum, value);
    atomic_add(&numbers->sum, value);
    atomic_max(&numbers->largest, value);
    if (atomic_exchange(&numbers->last, value) != 0) atomic_add(seen, 1u);
    block_barrier();
    if (thread_index() == 0) atomic_add(&numbers->shared_sum, *shared_sum);
}

MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(threads) atomics_kernel(AtomicArgs args) {
    MDSIM_SHARED(std::int32_t, i32, [1]);
    MDSIM_SHARED(std::uint32_t, u32, [1]);
    MDSIM_SHARED(std::int64_t, i64, [1]);
    MDSIM_SHARED(std::uint64_t, u64, [1]);
    const unsigned n = block_index() * block_threads() + thread_index();
    const std::int64_t value = (static_cast<std::int64_t>(n) + 1) * (n % 2 == 0 ? 1 : -1);
    change(args.i32, i32, static_cast<std::int32_t>(value * 1000003), args.seen);
    change(args.u32, u32, static_cast<std::uint32_t>(n + 1) * 4000037u, args.seen);
    change(args.i64, i64, value * std::int64_t{10000000000000}, args.seen);
    change(args.u64, u64, static_cast<std::uint64_t>(n + 1) * 20000000000000000u, args.seen);
}

MDSIM_KERNEL crime_kernel(CrimeArgs args) {
    const unsigned t = thread_index();
    int found = 0;
    switch (args.crime) {
        case Crime::half_a_tile:
            if (t % 32 < 16) found = tile_any(true) ? 1 : 0;
            break;
        case Crime::half_a_block:
            if (t < 32) block_barrier();
            break;
        case Crime::ended_early:
            if (t == 5) return;
            tile_barrier();
            break;
        case Crime::two_barriers:
            if (t % 2 == 0) {
                block_barrier();
            } else {
                block_barrier();
            }
            break;
        case Crime::too_much_shared: {
            MDSIM_SHARED(double, large, [256]);
            large[t] = 1.0;
            found = static_cast<int>(large[t]);
            break;
        }
    }
    args.result[t] = found;
}

MDSIM_KERNEL add_one_kernel(AddArgs args) {
    const unsigned i = block_index() * block_threads() + thread_index();
    if (i < args.size) args.to[i] = args.from[i] + 1;
}

void test_tile(Stream& stream, const TileArgs& args) {
    launch(stream, {"kernel test_tile", "a test"}, tile_kernel, {4, threads, 0}, args);
}

void test_scan(Stream& stream, const ScanArgs& args) {
    constexpr Work work{"kernel test_scan", "a test"};
    const LaunchShape shape{args.blocks, threads, 0};
    switch (args.fault) {
        case Fault::none:
            return launch(stream, work, scan_kernel<Fault::none>, shape, args);
        case Fault::no_barrier_before_read:
            return launch(stream, work, scan_kernel<Fault::no_barrier_before_read>, shape, args);
        case Fault::no_barrier_before_write:
            return launch(stream, work, scan_kernel<Fault::no_barrier_before_write>, shape, args);
        case Fault::no_tile_barrier:
            return launch(stream, work, scan_kernel<Fault::no_tile_barrier>, shape, args);
    }
}

void test_reverse(Stream& stream, const ReverseArgs& args) {
    launch(stream, {"kernel test_reverse", "a test"}, reverse_kernel,
           {args.blocks, args.threads, args.threads * sizeof(std::uint32_t)}, args);
}

void test_atomics(Stream& stream, const AtomicArgs& args) {
    launch(stream, {"kernel test_atomics", "a test"}, atomics_kernel, {args.blocks, threads, 0}, args);
}

void test_crime(Stream& stream, const CrimeArgs& args) {
    launch(stream, {"kernel test_crime", "a test"}, crime_kernel, {1, 64, 0}, args);
}

void test_add_one(Stream& stream, const AddArgs& args) {
    launch(stream, {"kernel test_add_one", "a test"}, add_one_kernel, {blocks_for(args.size, 64), 64, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
