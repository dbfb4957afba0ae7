// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/mesh_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.h"
#include "forces/mesh/ranks/node_overlap.h"

namespace mdsim::mesh {

namespace {

std::size_t place(int i) {
    return static_cast<std::size_t>(i);
}

std::int64_t product(Stretch a, Stretch b) {
    return std::int64_t{a.size()} * b.size();
}

/// Elements of the largest tile, of all three directions.
std::int64_t most_work(const Pencils& p) {
    std::int64_t most = 0;
    for (int i = 0; i < p.first; ++i) {
        for (int j = 0; j < p.second; ++j) {
            const std::int64_t x = product(p.y(i), p.z(j)) * p.n[0] / 2, y = product(p.kx(i), p.z(j)) * p.n[1],
                               z = product(p.kx(i), p.ky(j)) * p.n[2];
            most = std::max(most, x + y + z);
        }
    }
    return most;
}

// Tiles go to ranks in the order of what these share with them, each to one.
std::vector<int> place_tiles(const Pencils& p, const std::vector<NodeBox>& boxes, const std::vector<int>& mesh_ranks) {
    struct Wish {
        std::int64_t nodes;
        int tile, rank;
    };
    std::vector<Wish> wishes;
    for (int tile = 0; tile < p.tiles(); ++tile) {
        const NodeBox of_tile = tile_nodes(p, tile);
        for (const int rank : mesh_ranks) {
            const std::int64_t nodes = count_shared(boxes[place(rank)], of_tile, p.n);
            if (nodes > 0) wishes.push_back({nodes, tile, rank});
        }
    }
    std::sort(wishes.begin(), wishes.end(), [](const Wish& a, const Wish& b) {
        if (a.nodes != b.nodes) return a.nodes > b.nodes;
        return a.tile != b.tile ? a.tile < b.tile : a.rank < b.rank;
    });
    std::vector<int> rank_of_tile(place(p.tiles()), -1);
    std::vector<bool> taken(boxes.size());
    for (const Wish& wish : wishes) {
        if (rank_of_tile[place(wish.tile)] >= 0 || taken[place(wish.rank)]) continue;
        rank_of_tile[place(wish.tile)] = wish.rank;
        taken[place(wish.rank)] = true;
    }
    auto next = mesh_ranks.begin();
    for (int& rank : rank_of_tile) {
        if (rank >= 0) continue;
        while (taken[place(*next)]) ++next;
        rank = *next++;
    }
    return rank_of_tile;
}

// What decides between ways to cut: rough costs of today's machines, which need not be right.
constexpr double seconds_per_element = 4e-9;  // of all directions, forward and back
constexpr double seconds_per_byte = 2e-10;
constexpr double seconds_per_message = 2e-6;

double estimated_time(const MeshLayout& layout, const std::vector<NodeBox>& boxes, int node_bytes) {
    double slowest = 0.0;
    for (const MeshTraffic& t : mesh_traffic(layout, boxes, node_bytes)) {
        const auto messages = static_cast<double>(t.halo.messages + t.transpose.messages);
        const auto bytes = static_cast<double>(t.halo.bytes + t.transpose.bytes);
        slowest = std::max(slowest, messages * seconds_per_message + bytes * seconds_per_byte);
    }
    return slowest + static_cast<double>(most_work(layout.pencils)) * seconds_per_element;
}

// Those ways to cut whose largest tile is small: at most a quarter larger than the least.
std::vector<Pencils> even_cuts(std::vector<Pencils> cuts) {
    std::int64_t least = INT64_MAX;
    for (const Pencils& p : cuts) least = std::min(least, most_work(p));
    std::erase_if(cuts, [&](const Pencils& p) { return most_work(p) > least + least / 4; });
    return cuts;
}

std::vector<MeshLayout> direct_layouts(const std::array<int, 3>& mesh, const std::vector<NodeBox>& boxes,
                                       const std::vector<int>& mesh_ranks) {
    const int ranks = static_cast<int>(mesh_ranks.size());
    std::vector<Pencils> cuts;
    for (int first = 1; first <= ranks; ++first) {
        Pencils p{mesh, first, 1};
        if (first > p.most_first()) break;
        p.second = std::min(ranks / first, p.most_second());
        cuts.push_back(p);
    }
    std::vector<MeshLayout> layouts;
    for (const Pencils& p : even_cuts(cuts)) layouts.push_back({p, place_tiles(p, boxes, mesh_ranks)});
    return layouts;
}

bool can_be_staged(const std::array<int, 3>& mesh, const MeshPlaces& places) {
    const auto [x, y, z] = places.regions;
    const Pencils p{mesh};
    if (x * y * z == 1 || y > p.most_first() || z > p.most_second()) return false;
    // Ascending, so the first ones are 0, 1, 2, ... if this is the last of them.
    const auto last = place(x * y * z - 1);
    return places.mesh_ranks.size() > last && places.mesh_ranks[last] == static_cast<int>(last);
}

// The rank of a region has a part of its column.
std::vector<int> tiles_in_columns(const Pencils& p, const std::array<int, 3>& grid) {
    const int of_y = p.first / grid[1], of_z = p.second / grid[2];
    std::vector<int> rank_of_tile;
    for (int i = 0; i < p.first; ++i) {
        for (int j = 0; j < p.second; ++j) {
            const int x = i % of_y * of_z + j % of_z;
            rank_of_tile.push_back((x * grid[1] + i / of_y) * grid[2] + j / of_z);
        }
    }
    return rank_of_tile;
}

// Where part 0 of an axis has to begin for all atoms to reach nodes of their own part and of those above it: then each
// rank sends to neighbours on one side only. One node lower than atoms reach now, since regions will move a little; z
// is cut in pairs.
int begin_below_atoms(const std::vector<NodeBox>& boxes, const std::array<int, 3>& mesh, const std::array<int, 3>& grid,
                      std::size_t axis) {
    const int n = mesh[axis], parts = grid[axis];
    if (parts < 3 || (axis == 2 && n % 2 != 0)) return 0;  // two regions are on both sides of each other
    int lowest = n;
    for (int rank = 0; rank < grid[0] * grid[1] * grid[2]; ++rank) {
        if (boxes[place(rank)].empty() || boxes[place(rank)].count[axis] == n) continue;
        const int slab = axis == 1 ? rank / grid[2] % grid[1] : rank % grid[2];
        const int from = (boxes[place(rank)].first[axis] - cut(n, parts, slab).begin + n) % n;
        lowest = std::min(lowest, 2 * from >= n ? from - n : from);
    }
    if (lowest == n) return 0;
    const int begin = (lowest + n - 1) % n;
    return axis == 2 ? begin / 2 * 2 : begin;
}

std::int64_t most_halo_messages(const MeshLayout& layout, const std::vector<NodeBox>& boxes) {
    std::int64_t most = 0;
    for (const MeshTraffic& t : mesh_traffic(layout, boxes, 1)) most = std::max(most, t.halo.messages);
    return most;
}

std::vector<MeshLayout> staged_layouts(const std::array<int, 3>& mesh, const std::vector<NodeBox>& boxes,
                                       const std::array<int, 3>& grid) {
    std::vector<Pencils> cuts;
    for (int of_y = 1; of_y <= grid[0]; ++of_y) {
        Pencils p{mesh, of_y * grid[1], grid[2]};
        if (p.first > p.most_first()) break;
        p.second = std::min(grid[0] / of_y, p.most_second() / grid[2]) * grid[2];
        cuts.push_back(p);
    }
    std::vector<MeshLayout> layouts;
    for (const Pencils& p : even_cuts(cuts)) {
        MeshLayout layout{p, tiles_in_columns(p, grid), MeshWay::staged, grid}, turned = layout;
        turned.pencils.from_y = begin_below_atoms(boxes, mesh, grid, 1);
        turned.pencils.from_z = begin_below_atoms(boxes, mesh, grid, 2);
        const bool fewer = most_halo_messages(turned, boxes) < most_halo_messages(layout, boxes);
        layouts.push_back(std::move(fewer ? turned : layout));
    }
    return layouts;
}

}  // namespace

NodeReach node_reach(std::int64_t first, std::int64_t last, double moves, int order, int n) {
    if (!(moves < n)) return {0, n};
    const auto margin = static_cast<std::int64_t>(std::ceil(1.1 * moves));
    const std::int64_t count = last - first + 2 * margin + order, begin = (first - margin) % n;
    if (count >= n) return {0, n};
    return {static_cast<int>(begin < 0 ? begin + n : begin), static_cast<int>(count)};
}

MeshLayout choose_layout(const std::array<int, 3>& mesh, const std::vector<NodeBox>& boxes, const MeshPlaces& places,
                         int node_bytes) {
    MDSIM_EXPECT(!places.mesh_ranks.empty());
    MeshLayout best;
    double least = 0.0;
    for (MeshLayout& layout : can_be_staged(mesh, places) ? staged_layouts(mesh, boxes, places.regions)
                                                          : direct_layouts(mesh, boxes, places.mesh_ranks)) {
        const double time = estimated_time(layout, boxes, node_bytes);
        if (!best.rank_of_tile.empty() && time >= least) continue;
        least = time;
        best = std::move(layout);
    }
    return best;
}

std::vector<NodeBox> expected_nodes(const MeshRanks& r) {
    const int regions = r.regions[0] * r.regions[1] * r.regions[2];
    std::vector<NodeBox> boxes(place(regions + r.idle + r.separate));
    for (int rank = 0; rank < regions; ++rank) {
        const std::array<int, 3> at{rank / (r.regions[1] * r.regions[2]), rank / r.regions[2] % r.regions[1],
                                    rank % r.regions[2]};
        for (std::size_t a = 0; a < 3; ++a) {
            const int axis = static_cast<int>(a), n = r.mesh[a];
            const double region = 1.0 / r.regions[a], over = r.overhang[axis];
            const auto first = static_cast<std::int64_t>(std::floor(n * (at[a] * region - over)));
            const auto last = static_cast<std::int64_t>(std::floor(n * ((at[a] + 1) * region + over)));
            const NodeReach reach =
                r.regions[a] == 1 ? NodeReach{0, n} : node_reach(first, last, n * r.moves[axis], r.order, n);
            boxes[place(rank)].first[a] = reach.first;
            boxes[place(rank)].count[a] = reach.count;
        }
    }
    return boxes;
}

MeshLayout expected_layout(const MeshRanks& r) {
    const std::vector<NodeBox> boxes = expected_nodes(r);
    const int ranks = static_cast<int>(boxes.size()), first = r.separate > 0 ? ranks - r.separate : 0;
    MeshPlaces places{r.regions, std::vector<int>(place(ranks - first))};
    std::iota(places.mesh_ranks.begin(), places.mesh_ranks.end(), first);
    return choose_layout(r.mesh, boxes, places, r.node_bytes);
}

std::vector<MeshTraffic> predict_mesh_traffic(const MeshRanks& r) {
    return mesh_traffic(expected_layout(r), expected_nodes(r), r.node_bytes);
}

}  // namespace mdsim::mesh
