// SPDX-License-Identifier: Apache-2.0
#include "domain/regions/halo_geometry.h"

#include <random>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "domain/regions/planes.h"

using namespace mdsim;

namespace {

constexpr double pi = units::pi;

// The share of a box of points that are above the region along a split axis, below it along none, and nearer than the
// reach to it, by counting. Along an axis the region starts at 0.
double counted_volume(const Vec3d& lengths, const RankGrid& grid, double reach) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    constexpr int points = 400000;
    int inside = 0;
    for (int n = 0; n < points; ++n) {
        double r2 = 0.0;
        bool above = false;
        for (int a = 0; a < 3; ++a) {
            const double beyond = lengths[a] * uniform(random) - lengths[a] / grid[static_cast<std::size_t>(a)];
            if (beyond <= 0.0) continue;
            above = true;
            r2 += beyond * beyond;
        }
        if (above && r2 < reach * reach) ++inside;
    }
    return lengths.x * lengths.y * lengths.z * inside / points;
}

}  // namespace

TEST_CASE("the halo of a cube is three faces, three quarters of a cylinder and an eighth of a sphere") {
    const Box box = Box::rectangular(8, 8, 8);
    CHECK(halo_volume(box, RankGrid{2, 2, 2}, 1.5) ==
          Approx(3 * 16 * 1.5 + 3 * pi / 4 * 1.5 * 1.5 * 4 + pi / 6 * 1.5 * 1.5 * 1.5));
    CHECK(halo_volume(box, RankGrid{1, 1, 2}, 1.5) == Approx(8 * 8 * 1.5));
    CHECK(halo_volume(box, RankGrid{1, 2, 2}, 1.5) == Approx(2 * 8 * 4 * 1.5 + pi / 4 * 1.5 * 1.5 * 8));
    CHECK(halo_volume(box, RankGrid{1, 1, 1}, 1.5) == 0.0);
}

TEST_CASE("the halo of a region has the volume that counting gives, also where it is thinner than the reach") {
    const Vec3d lengths{6, 7, 8};
    const Box box = Box::rectangular(lengths.x, lengths.y, lengths.z);
    for (const RankGrid grid : {RankGrid{2, 2, 2}, RankGrid{1, 3, 4}, RankGrid{6, 1, 5}})
        CHECK(halo_volume(box, grid, 1.4) == Approx(counted_volume(lengths, grid, 1.4)).epsilon(0.01));
}

TEST_CASE("in a triclinic box the faces of the halo are as thick as the reach, whatever the angle") {
    const Box box = Box::from_lengths_angles({6, 6, 6}, {60, 60, 90});
    const double depth = 1.2 / box.heights().z;
    CHECK(halo_volume(box, RankGrid{1, 1, 2}, 1.2) == Approx(box.volume() * depth));
    CHECK(depth > 1.2 / 6.0);
}

TEST_CASE("a region does not meet itself in its halo") {
    const Box box = Box::rectangular(3, 3, 3);
    CHECK(halo_depth(3.0, 0.75, 1.4) == Approx(0.25));
    CHECK(halo_depth(3.0, 1.0, 1.4) == 0.0);
    CHECK(halo_volume(box, std::array{1.0, 1.0, 0.75}, 1.4) == Approx(27 * 0.25));
}

TEST_CASE("a halo needs a message from each region that it touches") {
    CHECK(halo_pulses(Box::rectangular(8, 8, 8), RankGrid{1, 2, 8}, 1.5) == std::array{0, 1, 2});
    CHECK(halo_pulses(Box::rectangular(8, 8, 8), RankGrid{4, 5, 6}, 2.0) == std::array{1, 2, 2});
    // From the second region on: 0.45 of 0.05, 0.3 and 0.1 of the next; the narrow one counts as well.
    CHECK(halo_pulses(std::vector{0.0, 0.2, 0.25, 0.55, 1.0}, 10.0, 4.0) == 3);
    CHECK(halo_pulses(std::vector{0.0, 0.2, 0.25, 0.55, 1.0}, 10.0, 0.4) == 1);
}

TEST_CASE("the grid with the smallest halo is chosen, which is not always the most cubic one") {
    const auto choose_grid = [](double x, double y, double z, int ranks) {
        return choose_rank_grid({Box::rectangular(x, y, z), 1.4, 100.0, 0.0}, ranks).grid;
    };
    // Halos of 1 x 2 x 4 and 2 x 2 x 2: 35 + 70 + 15.4 and 105 + 23.1 + 1.4 nm^3.
    CHECK(choose_grid(10, 10, 10, 8) == RankGrid{4, 2, 1});
    CHECK(choose_grid(10, 10, 10, 64) == RankGrid{4, 4, 4});
    CHECK(choose_grid(10, 10, 10, 2) == RankGrid{2, 1, 1});
    CHECK(choose_grid(20, 10, 10, 2) == RankGrid{2, 1, 1});
    CHECK(choose_grid(20, 20, 5, 16) == RankGrid{4, 4, 1});
    CHECK(choose_grid(5, 5, 5, 7) == RankGrid{7, 1, 1});
}

TEST_CASE("few messages are better than a small halo where a message costs much") {
    const Box box = Box::rectangular(14, 14, 14);
    // Halos of 1 x 1 x 8 and 1 x 2 x 4: 274.4 and 227.4 nm^3, in one message and in two.
    CHECK(halo_volume(box, RankGrid{1, 1, 8}, 1.4) == Approx(274.4));
    CHECK(halo_volume(box, RankGrid{1, 2, 4}, 1.4) == Approx(68.6 + 137.2 + 21.551));
    const auto cost = [&](const RankGrid& grid, const StepCosts& costs) {
        return grid_cost({box, 1.4, 100.0, 0.0}, grid, costs);
    };
    const StepCosts atoms{0.3e-6, 1e-6, 0.0}, messages{0.3e-6, 1e-9, 1e-3};
    CHECK(cost({1, 2, 4}, atoms) < cost({1, 1, 8}, atoms));
    CHECK(cost({1, 2, 4}, messages) > cost({1, 1, 8}, messages));
    CHECK(grid_cost({box, 1.4, 100.0, 0.0}, RankGrid{1, 1, 2}, {2.0, 0.0, 0.0}) == Approx(2.0 * 100.0 * 2744.0 / 2));
    CHECK(grid_cost({box, 1.4, 100.0, 0.0}, RankGrid{1, 1, 2}, {0.0, 3.0, 5.0}) ==
          Approx(3.0 * 100.0 * 196.0 * 1.4 + 5.0 * 2));
}

TEST_CASE("regions stay whole along x where they transform a mesh, unless that costs more atoms than it saves nodes") {
    const auto choose_grid = [](double x, double mesh, int ranks) {
        return choose_rank_grid({Box::rectangular(x, 20, 20), 1.4, 100.0, mesh}, ranks).grid;
    };
    // Of 2 x 1 x 1 a quarter of the nodes of the mesh go to the other rank.
    CHECK(mesh_nodes_elsewhere({Box::rectangular(8, 8, 8), 1.4, 100.0, 1e6}, RankGrid{2, 1, 1}) == Approx(0.25e6));
    CHECK(mesh_nodes_elsewhere({Box::rectangular(8, 8, 8), 1.4, 100.0, 1e6}, RankGrid{1, 4, 2}) == 0.0);
    CHECK(choose_grid(22, 0.0, 2) == RankGrid{2, 1, 1});
    CHECK(choose_grid(22, 8e6, 2) == RankGrid{1, 2, 1});
    CHECK(choose_grid(80, 8e6, 2) == RankGrid{2, 1, 1});
    CHECK(choose_grid(22, 8e6, 512)[0] == 8);
}

TEST_CASE("ranks that would make a step longer get no region") {
    const auto choose = [](double edge, int ranks) {
        return choose_rank_grid({Box::rectangular(edge, edge, edge), 1.4, 100.0, 0.0}, ranks);
    };
    // Slabs of 0.31 nm have a halo of nearly five regions each.
    const GridChoice choice = choose(4.0, 13);
    CHECK(choice.most_possible == 13);
    CHECK(choice.regions() == 12);
    CHECK(choose(0.4, 4).regions() == 1);
    CHECK(choose(0.4, 4).most_possible == 1);
}

TEST_CASE("every grid of a number of regions is there once") {
    CHECK(grids_of(1) == std::vector<RankGrid>{{1, 1, 1}});
    CHECK(grids_of(12).size() == 18);
    for (const RankGrid& grid : grids_of(12)) CHECK(regions_of(grid) == 12);
}
