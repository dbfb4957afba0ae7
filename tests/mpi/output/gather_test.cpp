// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <future>
#include <stdexcept>
#include <vector>

#include <catch2/catch.hpp>

#include "run/output/writing/output_queue.h"
#include "run/output/writing/state_line.h"
#include "system/state_hash.h"
#include "world.h"

using namespace mdsim;

namespace {

constexpr std::int64_t atoms = 3001;

// Where an atom is at home at a step: spread unevenly, and (where there are others) never on rank `idle`.
int rank_of(std::int64_t id, std::int64_t step, int idle) {
    const auto rank = static_cast<int>((id * id + 3 * step) % world().size());
    return rank == idle && world().size() > 1 ? (rank + 1) % world().size() : rank;
}

// Atom, step, and the rank that it was sent by.
Vec3d position(std::int64_t id, std::int64_t step, int rank) {
    return {static_cast<double>(id), static_cast<double>(step), static_cast<double>(rank)};
}

struct Home {
    std::vector<std::int64_t> ids;
    std::vector<Vec3d> x, before, after;
    std::vector<Vec3l> f;

    Home(std::int64_t step, int idle) {
        for (std::int64_t id = 0; id < atoms; ++id) {
            if (rank_of(id, step, idle) != world().rank()) continue;
            ids.push_back(id);
            x.push_back(position(id, step, world().rank()));
            before.push_back(position(id, step, 100));
            after.push_back(position(id, step, 200));
            f.push_back({id, step, -world().rank()});
        }
        if (world().rank() == idle && world().size() > 1) REQUIRE(ids.empty());
    }
    HomeAtoms atoms_at_home() const { return {ids, {x, before, after}, f, {after, before}}; }
};

std::int64_t count_wrong(const AllAtoms& all, std::int64_t step, int idle) {
    if (static_cast<std::int64_t>(all.x.size()) != atoms) return -1;
    std::int64_t wrong = 0;
    for (std::int64_t id = 0; id < atoms; ++id) {
        const auto i = static_cast<std::size_t>(id);
        const int rank = rank_of(id, step, idle);
        if (!(all.x[i] == position(id, step, rank))) ++wrong;
        if (!all.v.empty() && !(all.v[i] == position(id, step, 150))) ++wrong;
        if (!all.f.empty() && !(all.f[i] == Vec3l{id, step, -rank})) ++wrong;
        if (!(all.more.at(0)[i] == position(id, step, 200) && all.more.at(1)[i] == position(id, step, 100))) ++wrong;
    }
    return wrong;
}

// Every 3rd frame with velocities and forces, every 2nd with velocities.
Fields fields_of(std::int64_t step) {
    return step % 3 == 0 ? Fields::velocities | Fields::forces : step % 2 == 0 ? Fields::velocities : Fields::positions;
}

// Atoms change their home from step to step, and arrays are overwritten as soon as the call returns.
std::vector<std::int64_t> wrong_of_frames(int idle, std::int64_t frames, int polls_between) {
    std::vector<std::int64_t> wrong;
    OutputQueue queue(world(), atoms);
    for (std::int64_t step = 0; step < frames; ++step) {
        Home home(step, idle);
        queue.put(fields_of(step), home.atoms_at_home(),
                  [&wrong, step, idle](const AllAtoms& all) { wrong.push_back(count_wrong(all, step, idle)); });
        std::fill(home.x.begin(), home.x.end(), Vec3d{});
        std::fill(home.ids.begin(), home.ids.end(), -1);
        for (int n = 0; n < polls_between; ++n) queue.poll();
    }
    queue.drain();
    return wrong;
}

void require_right(const std::vector<std::int64_t>& wrong, std::size_t frames) {
    CHECK(wrong == std::vector<std::int64_t>(world().leads() ? frames : 0, 0));
}

}  // namespace

TEST_CASE("frames from all ranks come together in order, one after the other") {
    require_right(wrong_of_frames(-1, 30, 0), 30);
    require_right(wrong_of_frames(-1, 30, 5), 30);
}

TEST_CASE("a rank may have no atoms, the leading one as well") {
    require_right(wrong_of_frames(0, 10, 1), 10);
    require_right(wrong_of_frames(world().size() - 1, 10, 1), 10);
}

TEST_CASE("jobs without atoms keep their place behind those that wait for atoms") {
    std::vector<double> order;
    OutputQueue queue(world(), atoms);
    for (std::int64_t step = 0; step < 12; ++step) {
        const Home home(step, -1);
        queue.put(Fields::positions, home.atoms_at_home(),
                  [&order](const AllAtoms& all) { order.push_back(all.x[0].y); });
        for (int n = 1; n < 4; ++n)
            queue.put([&order, step, n] { order.push_back(static_cast<double>(step) + 0.25 * n); });
    }
    queue.drain();
    CHECK(order.size() == (world().leads() ? 48 : 0));
    for (std::size_t n = 0; n < order.size(); ++n) CHECK(order[n] == 0.25 * static_cast<double>(n));
}

TEST_CASE("atoms that never come are given up after an error") {
    bool frame = false, words = false;
    {
        OutputQueue queue(world(), atoms);
        const Home home(1, -1);
        queue.put(Fields::positions, home.atoms_at_home(), [&frame](const AllAtoms&) { frame = true; });
        queue.drain();
        // The leading rank alone believes that there is another frame.
        frame = false;
        if (world().leads()) {
            queue.put(Fields::positions, home.atoms_at_home(), [&frame](const AllAtoms&) { frame = true; });
            queue.put([&words] { words = true; });
            queue.drain_within(0.2);
        }
        world().barrier();
        if (!world().leads()) queue.put(Fields::positions, home.atoms_at_home(), {});
        queue.drain();
    }
    CHECK(words == world().leads());
    CHECK(frame == world().alone());
}

TEST_CASE("after an error nothing is written that was asked for before anybody knew, whatever it waits for") {
    bool wrote = false;
    std::promise<void> let_go;
    OutputQueue queue(world(), atoms);
    const Home home(1, -1);
    const auto put_frame = [&] {
        queue.put(Fields::positions, home.atoms_at_home(), [&wrote](const AllAtoms&) { wrote = true; });
    };
    const auto fail = [&] {
        queue.put([&let_go] {
            let_go.get_future().wait();
            throw std::runtime_error("the disk is full");
        });
        put_frame();  // the other ranks have not sent theirs yet
        queue.put([&wrote] { wrote = true; });
        let_go.set_value();
        for (;;) queue.poll();
    };
    if (world().leads()) CHECK_THROWS_WITH(fail(), "the disk is full");
    world().barrier();
    if (!world().leads()) put_frame();
    queue.drain();
    CHECK(!wrote);
}

TEST_CASE("the hash of a state does not depend on the ranks that have it") {
    State all, home;
    all.step = home.step = 5;
    for (std::int64_t id = 0; id < atoms; ++id) {
        all.x.push_back(position(id, 5, 1));
        all.v.push_back(position(id, 5, 2));
    }
    const Home at_home(5, -1);
    for (const std::int64_t id : at_home.ids) {
        home.x.push_back(all.x[static_cast<std::size_t>(id)]);
        home.v.push_back(all.v[static_cast<std::size_t>(id)]);
    }
    CHECK(state_hash(home, at_home.ids, world()) == state_hash(all));
}
