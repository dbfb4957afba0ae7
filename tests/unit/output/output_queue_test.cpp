// SPDX-License-Identifier: Apache-2.0
#include "run/output/writing/output_queue.h"

#include <future>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include "run/output/writing/state_line.h"
#include "system/state_hash.h"

using namespace mdsim;

namespace {

constexpr std::size_t atoms = 5000;

struct Fixture {
    std::vector<Vec3d> x{atoms}, before{atoms}, after{atoms};
    std::vector<Vec3l> f{atoms};

    void set(double step) {
        for (std::size_t i = 0; i < atoms; ++i) {
            const auto n = static_cast<double>(i);
            x[i] = {n, step, 0.5};
            before[i] = {n, -1.0, step};
            after[i] = {n, 3.0, step};
            f[i] = {static_cast<std::int64_t>(i), static_cast<std::int64_t>(step), -7};
        }
    }
    HomeAtoms home() const { return {{}, {x, before, after}, f}; }
};

}  // namespace

TEST_CASE("jobs see atoms as they were when they were put") {
    const Comm alone;
    OutputQueue queue(alone, atoms);
    Fixture fixture;
    std::vector<double> steps;
    for (int step = 0; step < 20; ++step) {
        fixture.set(step);
        queue.put(Fields::velocities | Fields::forces, fixture.home(), [&steps, step](const AllAtoms& all) {
            bool right = all.x.size() == atoms && all.v.size() == atoms && all.f.size() == atoms;
            for (std::size_t i = 0; right && i < atoms; ++i) {
                const auto n = static_cast<double>(i);
                right = all.x[i] == Vec3d{n, static_cast<double>(step), 0.5} &&
                        all.v[i] == Vec3d{n, 1.0, static_cast<double>(step)} &&
                        all.f[i] == Vec3l{static_cast<std::int64_t>(i), step, -7};
            }
            steps.push_back(right ? step : -1);
        });
        queue.put([&steps, step] { steps.push_back(step + 0.5); });
    }
    queue.drain();
    REQUIRE(steps.size() == 40);
    for (std::size_t n = 0; n < 40; ++n) CHECK(steps[n] == 0.5 * static_cast<double>(n));
}

TEST_CASE("what is not asked for is not gathered") {
    OutputQueue queue(Comm(), atoms);
    Fixture fixture;
    std::vector<std::size_t> sizes;
    queue.put(Fields::positions, {{}, {fixture.x, {}, {}}, {}}, [&](const AllAtoms& all) {
        sizes = {all.x.size(), all.v.size(), all.f.size()};
    });
    queue.drain();
    CHECK(sizes == std::vector<std::size_t>{atoms, 0, 0});
}

TEST_CASE("two jobs with atoms are on their way, a third waits for the first of them") {
    std::promise<void> let_go;
    std::atomic<int> put{0};
    std::vector<double> seen;
    Fixture fixture;
    OutputQueue queue(Comm(), atoms);
    const auto put_frame = [&](int step, std::function<void()> before) {
        fixture.set(step);
        queue.put(Fields::positions, fixture.home(), [&seen, before = std::move(before)](const AllAtoms& all) {
            before();
            seen.push_back(all.x[1].y);
        });
        ++put;
    };
    std::shared_future<void> may_go = let_go.get_future().share();
    put_frame(0, [may_go] { may_go.wait(); });
    put_frame(1, [] {});
    std::future<void> third = std::async(std::launch::async, [&] { put_frame(2, [] {}); });
    CHECK(third.wait_for(std::chrono::milliseconds(200)) == std::future_status::timeout);
    CHECK(put == 2);
    let_go.set_value();
    third.get();
    queue.drain();
    CHECK(seen == std::vector<double>{0, 1, 2});
}

TEST_CASE("an error in a job with atoms is thrown by a later call, and nothing behind it is done") {
    Fixture fixture;
    OutputQueue queue(Comm(), atoms);
    bool did = false;
    queue.put(Fields::positions, fixture.home(), [](const AllAtoms&) { throw std::runtime_error("no room"); });
    const auto go_on = [&] {
        for (;;) queue.poll();
    };
    CHECK_THROWS_WITH(go_on(), "no room");
    queue.put([&] { did = true; });
    queue.drain();
    CHECK(did);
}

TEST_CASE("an atom that is missing is an error") {
    Fixture fixture;
    OutputQueue queue(Comm(), atoms + 1);
    queue.put(Fields::positions, fixture.home(), [](const AllAtoms&) {});
    CHECK_THROWS_WITH(queue.drain(), Catch::Contains("own_count_ == atoms"));
}

TEST_CASE("the hash of home atoms is that of the atoms in order") {
    Fixture fixture;
    fixture.set(3);
    State all;
    all.step = 3;
    all.box = Box::from_lengths_angles({3, 3, 3}, {60, 60, 90});
    all.x = fixture.x;
    all.v = fixture.after;
    State home = all;
    std::vector<std::int64_t> ids(atoms);
    for (std::size_t i = 0; i < atoms; ++i) {
        const std::size_t from = (i * 7) % atoms;
        ids[i] = static_cast<std::int64_t>(from);
        home.x[i] = all.x[from];
        home.v[i] = all.v[from];
    }
    CHECK(state_hash(home, ids, Comm()) == state_hash(all));
    CHECK(state_line(home, ids, Comm()) == state_line(all));
    std::swap(ids[0], ids[1]);
    CHECK(state_hash(home, ids, Comm()) != state_hash(all));
}
