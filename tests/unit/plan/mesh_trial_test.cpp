// SPDX-License-Identifier: Apache-2.0
#include "run/mesh_trial/mesh_trial.h"

#include <cmath>
#include <map>

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

// Milliseconds of a step by ranks set aside, in place of a clock.
MeshRanksChoice with_times(const std::map<int, double>& ms, std::vector<int> counts) {
    std::vector<int> asked;
    const auto time = [&](int n) {
        asked.push_back(n);
        return TrialStep{1e-3 * ms.at(n), {.total = 1.0 + n}};
    };
    const auto promising = [&](const MeasuredStep& with_none) {
        CHECK(asked == std::vector<int>{0});
        CHECK(with_none.total == 1.0);
        return counts;
    };
    MeshRanksChoice choice = try_mesh_ranks(time, promising);
    counts.insert(counts.begin(), 0);
    CHECK(asked == counts);
    return choice;
}

Workload water(int atoms, int points) {
    Workload work;
    const double edge = std::cbrt(atoms / 100.0);
    work.atoms = atoms;
    work.cell = Box::rectangular(edge, edge, edge);
    work.list_radius = 1.36;
    work.unit_radius = 0.1;
    work.farthest_move = 0.2;
    work.timestep = 0.002;
    work.mesh = MeshWork{{points, points, points}, 4, 4};
    return work;
}

}  // namespace

TEST_CASE("the fastest of the counts that were tried is taken", "[mesh][trial]") {
    CHECK(with_times({{0, 3.0}, {2, 2.5}, {1, 2.75}, {4, 3.5}}, {2, 1, 4}).mesh_ranks == 2);
    CHECK(with_times({{0, 3.0}, {2, 3.1}, {1, 3.2}}, {2, 1}).mesh_ranks == 0);
    // No faster is no reason to set ranks aside.
    CHECK(with_times({{0, 3.0}, {2, 3.0}}, {2}).mesh_ranks == 0);
    CHECK(with_times({{0, 3.0}}, {}).mesh_ranks == 0);
}

TEST_CASE("the log says what was tried, what it took and what was chosen", "[mesh][trial]") {
    const MeshRanksChoice choice = with_times({{0, 3.0}, {2, 2.5}}, {2});
    CHECK(describe(choice, 8) ==
          "2 of 8 ranks are set aside for the mesh, tried in 40 steps each: none with 3.000 ms/step, 2 with 2.500 "
          "ms/step");
    CHECK(describe({.tried = {}, .why = "2 ranks are too few"}, 2) ==
          "no ranks are set aside for the mesh: 2 ranks are too few");
    CHECK(describe({}, 1).empty());
}

TEST_CASE("a trial is short against what is left of the stage", "[mesh][trial]") {
    CHECK_FALSE(worth_a_trial(100));
    CHECK_FALSE(worth_a_trial(3199));
    CHECK(worth_a_trial(3200));  // four times 40 steps
}

TEST_CASE("few counts are tried, those that the model finds fastest", "[mesh][trial]") {
    const MeasuredStep parts{.total = 1.0, .pairs = 0.5, .bonded = 0.05, .search = 0.05, .mesh = 0.3};
    for (const int ranks : {4, 6, 16, 64}) {
        const Layout together{.nodes = 1, .ranks_per_node = ranks};
        const std::vector<int> counts = promising_mesh_ranks(water(100000, 80), parts, together);
        CHECK(counts.size() <= most_tried);
        CHECK(!counts.empty());
        for (const int n : counts) {
            CHECK(n >= 1);
            CHECK(n <= ranks / 2);
        }
    }
    // More of the time in the mesh, more ranks for it.
    const Layout of64{.nodes = 1, .ranks_per_node = 64};
    MeasuredStep heavy = parts, light = parts;
    heavy.mesh = 2.0;
    heavy.total = 2.7;
    light.mesh = 0.02;
    light.total = 0.72;
    const Workload work = water(1000000, 200);
    CHECK(promising_mesh_ranks(work, heavy, of64).front() > promising_mesh_ranks(work, light, of64).front());
}
