// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/mesh_route.h"

#include <map>
#include <numeric>
#include <random>

#include <catch2/catch.hpp>

#include "forces/mesh/ranks/mesh_layout.h"
#include "forces/mesh/ranks/node_overlap.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

using Grid = std::array<int, 3>;

int regions_of(const Grid& g) {
    return g[0] * g[1] * g[2];
}

MeshPlaces places(const Grid& regions, int ranks) {
    MeshPlaces p{regions, std::vector<int>(static_cast<std::size_t>(ranks))};
    std::iota(p.mesh_ranks.begin(), p.mesh_ranks.end(), 0);
    return p;
}

// Atoms 0.1 nm outside of their regions that move up to 0.2 nm, ten points a nanometre.
MeshRanks water(const Grid& regions, int points) {
    const double edge = 0.1 * points;
    return {.mesh = {points, points, points},
            .regions = regions,
            .overhang = Vec3d{1, 1, 1} * (0.1 / edge),
            .moves = Vec3d{1, 1, 1} * (0.2 / edge)};
}

// One entry a node of a box: what was put there.
using Charges = std::vector<std::int64_t>;

std::size_t place_in(const NodeBox& box, int x, int y, int z) {
    return static_cast<std::size_t>((x * box.count[1] + y) * box.count[2] + z);
}

// What the ranks of a step do, by one process.
std::vector<Charges> carried(const MeshStep& step, const std::vector<Charges>& held, const Grid& n) {
    std::vector<Charges> sums;
    for (const NodeBox& box : step.to) sums.emplace_back(static_cast<std::size_t>(box.nodes()), 0);
    for (const std::vector<int>& row : step.rows) {
        for (const int a : row) {
            for (const int b : row) {
                const auto from = static_cast<std::size_t>(a), to = static_cast<std::size_t>(b);
                const NodeOverlap shared(step.from[from], step.to[to], n);
                for (int x = 0; x < step.from[from].count[0]; ++x) {
                    shared.with_plane_of_from(x, [&](NodeOverlap::Plane plane) {
                        shared.for_rows(plane.number, [&](const NodeOverlap::Row& r) {
                            for (int i = 0; i < r.count; ++i) {
                                sums[to][place_in(step.to[to], plane.there, r.to_y, r.to_z + i)] +=
                                    held[from][place_in(step.from[from], x, r.from_y, r.from_z + i)];
                            }
                        });
                    });
                }
            }
        }
    }
    return sums;
}

int number_of(const NodeBox& box, const Grid& n, int x, int y, int z) {
    return (((box.first[0] + x) % n[0]) * n[1] + (box.first[1] + y) % n[1]) * n[2] + (box.first[2] + z) % n[2];
}

// Each node of each rank with a number of its own, so that a sum tells what came together.
std::int64_t charge_of(int node, std::size_t rank) {
    return (std::int64_t{1} << 40) + std::int64_t{node} * 1000 + static_cast<std::int64_t>(rank);
}

template <class F>
void for_nodes(const NodeBox& box, F&& f) {
    for (int x = 0; x < box.count[0]; ++x) {
        for (int y = 0; y < box.count[1]; ++y) {
            for (int z = 0; z < box.count[2]; ++z) f(x, y, z);
        }
    }
}

// Whether all nodes of the boxes come together in the tiles, each once.
bool arrives(const MeshLayout& layout, const std::vector<NodeBox>& boxes) {
    const Grid& n = layout.pencils.n;
    std::map<int, std::int64_t> expected;
    std::vector<Charges> held;
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        const NodeBox& box = boxes[rank];
        Charges& own = held.emplace_back(static_cast<std::size_t>(box.nodes()), 0);
        for_nodes(box, [&](int x, int y, int z) {
            const int node = number_of(box, n, x, y, z);
            own[place_in(box, x, y, z)] = charge_of(node, rank);
            expected[node] += charge_of(node, rank);
        });
    }
    const std::vector<MeshStep> route = make_route(layout, boxes);
    for (const MeshStep& step : route) held = carried(step, held, n);
    std::map<int, std::int64_t> found;
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        const NodeBox& tile = route.back().to[rank];
        for_nodes(tile, [&](int x, int y, int z) {
            const std::int64_t sum = held[rank][place_in(tile, x, y, z)];
            if (sum != 0) found[number_of(tile, n, x, y, z)] += sum;
        });
    }
    return found == expected;
}

NodeBox any_box(const Grid& n, std::mt19937& random) {
    NodeBox box;
    for (std::size_t a = 0; a < 3; ++a) {
        box.count[a] = static_cast<int>(random() % static_cast<unsigned>(n[a] + 1));
        box.first[a] = box.count[a] == n[a] ? 0 : static_cast<int>(random() % static_cast<unsigned>(n[a]));
    }
    return box;
}

}  // namespace

TEST_CASE("every node comes to its tile, wherever atoms are", "[mesh][ranks]") {
    const Grid n{18, 20, 22};
    std::mt19937 random(7);
    for (const Grid grid : {Grid{2, 2, 2}, {1, 3, 4}, {4, 1, 1}, {3, 2, 1}, {1, 1, 5}, {4, 4, 4}}) {
        INFO(grid[0] << " x " << grid[1] << " x " << grid[2]);
        const int ranks = regions_of(grid) + 1;  // one of them idle
        const std::vector<NodeBox> near = [&] {
            auto boxes = expected_nodes(water(grid, 20));
            for (NodeBox& box : boxes) {
                for (std::size_t a = 0; a < 3; ++a) {
                    box.first[a] %= n[a];
                    box.count[a] = std::min(box.count[a], n[a]);
                    if (box.count[a] == n[a]) box.first[a] = 0;
                }
            }
            boxes.emplace_back();
            return boxes;
        }();
        const MeshLayout layout = choose_layout(n, near, places(grid, ranks), 4);
        CHECK(layout.way == MeshWay::staged);
        CHECK(arrives(layout, near));
        // Regions have moved since then, to any place.
        for (int times = 0; times < 4; ++times) {
            std::vector<NodeBox> boxes;
            for (int r = 0; r < ranks - 1; ++r) boxes.push_back(any_box(n, random));
            boxes.emplace_back();
            CHECK(arrives(layout, boxes));
        }
    }
}

TEST_CASE("charges go up by one message along each axis that is split", "[mesh][ranks]") {
    for (const Grid grid : {Grid{1, 1, 2},
                            {1, 2, 2},
                            {2, 2, 2},
                            {1, 1, 4},
                            {1, 4, 4},
                            {4, 4, 4},
                            {3, 3, 3},
                            {2, 4, 6},
                            {4, 1, 1},
                            {1, 5, 1}}) {
        INFO(grid[0] << " x " << grid[1] << " x " << grid[2]);
        const int points = 160;
        for (const MeshTraffic& t : predict_mesh_traffic(water(grid, points))) {
            // There and back.
            CHECK(t.halo.messages == 2 * ((grid[1] > 1) + (grid[2] > 1)));
            // Along x, and of tiles in columns of (y, z) parts: at most all ranks of a row of x cut one of them.
            const int along_x = 2 * (grid[0] - 1);
            const int most = std::max(grid[0] * grid[1] + grid[2], grid[1] + grid[0] * grid[2]);
            CHECK(t.transpose.messages <= along_x + 2 * (most - 2));
        }
    }
}

TEST_CASE("bytes of the charge halo are those of its nodes", "[mesh][ranks]") {
    // 40 points a region along y and z; 3 more for the window, 1 at each end for what hangs out, 2.2 for what moves,
    // and one for whole nodes.
    const double w = 40, reach = 3 + 2 * (1 + 2.2 + 1);
    const double least = 2 * 4 * (80 + reach) * ((w + reach) * (w + reach) - w * w);
    for (const MeshTraffic& t : predict_mesh_traffic(water({2, 4, 4}, 160))) {
        CHECK(static_cast<double>(t.halo.bytes) > 0.9 * least);
        CHECK(static_cast<double>(t.halo.bytes) < 1.3 * least);
    }
}

TEST_CASE("who cannot be on the way gets charges directly", "[mesh][ranks]") {
    const std::vector<NodeBox> boxes = expected_nodes(water({2, 2, 2}, 64));
    const Grid n{64, 64, 64};
    CHECK(choose_layout(n, boxes, places({2, 2, 2}, 8), 4).way == MeshWay::staged);
    CHECK(choose_layout(n, boxes, {{2, 2, 2}, {1, 2, 3, 4, 5, 6, 7}}, 4).way == MeshWay::direct);
    CHECK(choose_layout(n, std::vector<NodeBox>(3), places({1, 1, 1}, 3), 4).way == MeshWay::direct);
    // More regions along z than pairs of lines.
    CHECK(choose_layout({8, 8, 8}, std::vector<NodeBox>(6), places({1, 1, 6}, 6), 4).way == MeshWay::direct);
}
