// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "parallel/threads.h"
#include "run/output/writing/output_queue.h"

using namespace mdsim;

namespace {

constexpr std::size_t atoms = 400000;
constexpr int frames = 21;

template <class F>
double seconds_of(F&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double least(const std::vector<double>& values) {
    return *std::min_element(values.begin(), values.end());
}

}  // namespace

// What the loop pays for is less than a copy of the frame, made with all its threads, and not what the writer does.
// Other work on the machine, which takes of the memory's speed, can hold either up: hence the least of several times,
// one thread where it is tested, and room for a quarter more.
TEST_CASE("a frame holds the loop up for less than a copy of it") {
    const std::vector<Vec3d> x(atoms, {1, 2, 3}), v(atoms, {4, 5, 6});
    std::vector<Vec3d> copy_of_x(atoms), copy_of_v(atoms);
    // The steps between two frames go through more memory than caches hold, so that both copies find them with other
    // things.
    std::vector<int> memory_of_steps(std::size_t{16} << 20);
    OutputQueue queue(Comm(), atoms);
    const auto copies_held_up = [&](int threads) {
        set_thread_count(threads);
        std::vector<double> copies, held_up;
        for (int n = 0; n < frames; ++n) {
            std::fill(memory_of_steps.begin(), memory_of_steps.end(), n);
            copies.push_back(seconds_of([&] {
                std::memcpy(copy_of_x.data(), x.data(), atoms * sizeof(Vec3d));
                std::memcpy(copy_of_v.data(), v.data(), atoms * sizeof(Vec3d));
            }));
            const std::chrono::duration<double> writing(20.0 * copies.front());
            std::fill(memory_of_steps.begin(), memory_of_steps.end(), -n);
            held_up.push_back(seconds_of([&] {
                queue.put(Fields::velocities, {{}, {x, v, v}, {}},
                          [writing](const AllAtoms&) { std::this_thread::sleep_for(writing); });
            }));
            std::this_thread::sleep_for(1.5 * writing);  // the steps until the next frame
        }
        fmt::print(
            "{} atoms, {} threads: a copy of a frame takes {:.3f} ms, the loop is held up for {:.3f} ms, {:.2f} of "
            "it\n",
            atoms, threads, 1e3 * least(copies), 1e3 * least(held_up), least(held_up) / least(copies));
        return least(held_up) / least(copies);
    };
    const int threads = thread_count();
    copies_held_up(threads);
    CHECK(copies_held_up(1) < 1.25);
    set_thread_count(threads);
    queue.drain();
}
