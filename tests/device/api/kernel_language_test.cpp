// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include <catch2/catch.hpp>

#include "gpu/api/buffer.h"
#include "tests/device/api/api_kernels.h"
#include "tests/device/devices.h"

using namespace mdsim;
using namespace mdsim::kernels;

namespace {

constexpr gpu::Work work{"array of a test", "a test"};
constexpr unsigned threads = 128;

std::vector<std::uint32_t> some_values(std::size_t n) {
    std::vector<std::uint32_t> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761u) >> 8;
    return values;
}

// Values up, one launch, results down.
template <class Out, class Launch>
std::vector<Out> through(const test::Case& c, const std::vector<std::uint32_t>& values, Launch&& launch) {
    const gpu::Device device(c.info, c.settings);
    gpu::Stream stream(device);
    gpu::Buffer<std::uint32_t> in(device, work);
    gpu::Buffer<Out> out(device, work);
    in.resize(values.size());
    out.resize(values.size());
    in.upload(stream, values);
    launch(stream, in.data(), out.data());
    std::vector<Out> results(values.size());
    out.download(stream, results);
    return results;
}

std::vector<std::uint32_t> scan(const test::Case& c, const std::vector<std::uint32_t>& values, Fault fault) {
    return through<std::uint32_t>(c, values, [&](gpu::Stream& stream, std::uint32_t* in, std::uint32_t* out) {
        test_scan(stream, {in, out, static_cast<unsigned>(values.size() / threads), fault});
    });
}

}  // namespace

TEST_CASE("operations of tiles do what they say", "[device]") {
    const std::vector<std::uint32_t> values = some_values(4 * threads);
    std::vector<TileResults> expected(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        TileResults& r = expected[i];
        const std::size_t tile = i / 32 * 32, lane = i % 32;
        r.lane = static_cast<std::uint32_t>(lane);
        r.next_lane = values[tile + (lane + 1) % 32];
        r.partner = values[tile + (lane ^ 5)];
        r.ballot = r.sum = 0;
        r.any = 0;
        r.all = 1;
        for (std::size_t k = 0; k < 32; ++k) {
            r.ballot |= static_cast<std::uint32_t>(values[tile + k] % 3 == 0) << k;
            r.sum += values[tile + k];
            r.any |= values[tile + k] % 64 == 0;
        }
        r.warp_bits = 32;
        const std::uint32_t v = values[tile + 31 - lane];
        r.pattern = {v, v + 1, v + 2};
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        CHECK(through<TileResults>(c, values, [](gpu::Stream& stream, std::uint32_t* in, TileResults* out) {
                  test_tile(stream, {in, out});
              }) == expected);
    }
}

TEST_CASE("barriers and shared memory", "[device]") {
    const std::vector<std::uint32_t> values = some_values(6 * threads);
    std::vector<std::uint32_t> expected(values.size());
    for (std::size_t b = 0; b < values.size(); b += threads) {
        std::vector<std::uint32_t> sums(threads);
        std::partial_sum(values.begin() + static_cast<std::ptrdiff_t>(b),
                         values.begin() + static_cast<std::ptrdiff_t>(b + threads), sums.begin());
        for (std::size_t t = 0; t < threads; ++t) expected[b + t] = sums[t / 32 * 32 + 31 - t % 32];
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        CHECK(scan(c, values, Fault::none) == expected);
    }
}

// The check that race hunting can fail: the kernel of the test above with a barrier less.
TEST_CASE("a barrier that is missing is found by shuffling the order of threads", "[device]") {
    const std::vector<std::uint32_t> values = some_values(6 * threads);
    for (const Fault fault : {Fault::no_barrier_before_read, Fault::no_barrier_before_write, Fault::no_tile_barrier}) {
        for (const int width : {32, 64}) {
            std::set<std::vector<std::uint32_t>> results;
            for (const test::Case& c : test::host_cases()) {
                if (c.settings.warp_width == width) results.insert(scan(c, values, fault));
            }
            INFO("fault " << static_cast<int>(fault) << ", warps of " << width);
            CHECK(results.size() > 10);
        }
    }
}

TEST_CASE("dynamic shared memory", "[device]") {
    for (const unsigned size : {32u, 96u, 1024u}) {
        const std::vector<std::uint32_t> values = some_values(3 * size);
        std::vector<std::uint32_t> expected = values;
        for (auto b = expected.begin(); b != expected.end(); b += size) std::reverse(b, b + size);
        for (const test::Case& c : test::all_cases()) {
            INFO(c.name);
            CHECK(through<std::uint32_t>(c, values, [&](gpu::Stream& stream, std::uint32_t* in, std::uint32_t* out) {
                      test_reverse(stream, {in, out, 3, size});
                  }) == expected);
        }
    }
}

namespace {

template <class T>
void check_numbers(const AtomicNumbers<T>& found, const std::vector<T>& values) {
    T sum = 0;
    for (const T v : values) sum = static_cast<T>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(v));
    CHECK(found.sum == sum);
    CHECK(found.shared_sum == sum);
    CHECK(found.largest == std::max(T{0}, *std::max_element(values.begin(), values.end())));
    CHECK(std::find(values.begin(), values.end(), found.last) != values.end());
}

}  // namespace

TEST_CASE("atomics on integers of 32 and 64 bits", "[device]") {
    constexpr unsigned blocks = 5;
    std::vector<std::int32_t> i32;
    std::vector<std::uint32_t> u32;
    std::vector<std::int64_t> i64;
    std::vector<std::uint64_t> u64;
    for (unsigned n = 0; n < blocks * threads; ++n) {
        const std::int64_t value = (std::int64_t{n} + 1) * (n % 2 == 0 ? 1 : -1);
        i32.push_back(static_cast<std::int32_t>(value * 1000003));
        u32.push_back((n + 1) * 4000037u);
        i64.push_back(value * 10000000000000);
        u64.push_back((std::uint64_t{n} + 1) * 20000000000000000u);
    }
    for (const test::Case& c : test::all_cases()) {
        INFO(c.name);
        const gpu::Device device(c.info, c.settings);
        gpu::Stream stream(device);
        gpu::Buffer<AtomicNumbers<std::int32_t>> a(device, work);
        gpu::Buffer<AtomicNumbers<std::uint32_t>> b(device, work);
        gpu::Buffer<AtomicNumbers<std::int64_t>> x(device, work);
        gpu::Buffer<AtomicNumbers<std::uint64_t>> y(device, work);
        gpu::Buffer<unsigned> seen(device, work);
        const auto clear = [&](auto& buffer) {
            buffer.resize(1);
            buffer.zero(stream);
        };
        clear(a), clear(b), clear(x), clear(y), clear(seen);
        test_atomics(stream, {a.data(), b.data(), x.data(), y.data(), seen.data(), blocks});
        const auto first = [&](const auto& buffer, auto number) {
            buffer.download(stream, std::span(&number, 1));
            return number;
        };
        check_numbers(first(a, AtomicNumbers<std::int32_t>{}), i32);
        check_numbers(first(b, AtomicNumbers<std::uint32_t>{}), u32);
        check_numbers(first(x, AtomicNumbers<std::int64_t>{}), i64);
        check_numbers(first(y, AtomicNumbers<std::uint64_t>{}), u64);
        CHECK(first(seen, 0u) == 4 * (blocks * threads - 1));
    }
}

TEST_CASE("what would hang or corrupt a device is named by the host back end", "[device]") {
    struct Expected {
        Crime crime;
        const char* text;
    };
    for (const Expected& e :
         {Expected{Crime::half_a_tile, "none can go on"}, Expected{Crime::half_a_block, "none can go on"},
          Expected{Crime::ended_early, "none can go on"},
          Expected{Crime::two_barriers, "threads that must stay together"},
          Expected{Crime::too_much_shared, "shared memory"}}) {
        for (test::Case c : test::host_cases(3)) {
            c.settings.shared_bytes = 1024;
            const gpu::Device device(c.info, c.settings);
            gpu::Stream stream(device);
            gpu::Buffer<int> out(device, work);
            out.resize(64);
            const auto run = [&] {
                test_crime(stream, {e.crime, out.data()});
                stream.finish();
            };
            INFO(c.name << ": " << e.text);
            CHECK_THROWS_WITH(run(), Catch::Contains(e.text) && Catch::Contains("kernel test_crime, for a test"));
        }
    }
}
