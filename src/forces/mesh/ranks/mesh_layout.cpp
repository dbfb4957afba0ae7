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

/// Nodes that a box shares with part `part` of an axis.
struct PartNodes {
    int part;
    std::int64_t nodes;
};

template <class Part>
std::vector<PartNodes> parts_of(Stretch box, int n, int parts, Part&& stretch_of) {
    std::vector<PartNodes> found;
    for (int i = 0; i < parts; ++i) {
        std::int64_t nodes = 0;
        for (const SharedNodes& s : shared_nodes(box, stretch_of(i), n)) nodes += s.count;
        if (nodes > 0) found.push_back({i, nodes});
    }
    return found;
}

// f(tile, nodes) for every tile that a box shares nodes with. Tiles are products of parts, so no pair of a box and a
// tile that have nothing in common is looked at.
template <class F>
void for_tiles(const Pencils& p, const NodeBox& box, F&& f) {
    const auto stretch = [&](std::size_t a) { return Stretch{box.first[a], box.first[a] + box.count[a]}; };
    const auto along_y = parts_of(stretch(1), p.n[1], p.first, [&](int i) { return p.y(i); });
    const auto along_z = parts_of(stretch(2), p.n[2], p.second, [&](int j) { return p.points_z(j); });
    for (const PartNodes& y : along_y) {
        for (const PartNodes& z : along_z) {
            const std::int64_t nodes = box.count[0] * y.nodes * z.nodes;
            if (nodes > 0) f(y.part * p.second + z.part, nodes);
        }
    }
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
    for (const int rank : mesh_ranks) {
        for_tiles(p, boxes[place(rank)], [&](int tile, std::int64_t nodes) { wishes.push_back({nodes, tile, rank}); });
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
std::vector<Pencils> even_cuts(const std::array<int, 3>& mesh, int ranks) {
    std::vector<Pencils> cuts;
    std::int64_t least = INT64_MAX;
    for (int first = 1; first <= ranks; ++first) {
        Pencils p{mesh, first, 1};
        if (first > p.most_first()) break;
        p.second = std::min(ranks / first, p.most_second());
        cuts.push_back(p);
        least = std::min(least, most_work(p));
    }
    std::erase_if(cuts, [&](const Pencils& p) { return most_work(p) > least + least / 4; });
    return cuts;
}

}  // namespace

NodeReach node_reach(std::int64_t first, std::int64_t last, double moves, int order, int n) {
    if (!(moves < n)) return {0, n};
    const auto margin = static_cast<std::int64_t>(std::ceil(1.1 * moves));
    const std::int64_t count = last - first + 2 * margin + order, begin = (first - margin) % n;
    if (count >= n) return {0, n};
    return {static_cast<int>(begin < 0 ? begin + n : begin), static_cast<int>(count)};
}

MeshLayout choose_layout(const std::array<int, 3>& mesh, const std::vector<NodeBox>& boxes,
                         const std::vector<int>& mesh_ranks, int node_bytes) {
    MDSIM_EXPECT(!mesh_ranks.empty());
    MeshLayout best;
    double least = 0.0;
    for (const Pencils& p : even_cuts(mesh, static_cast<int>(mesh_ranks.size()))) {
        MeshLayout layout{p, place_tiles(p, boxes, mesh_ranks)};
        const double time = estimated_time(layout, boxes, node_bytes);
        if (!best.rank_of_tile.empty() && time >= least) continue;
        least = time;
        best = std::move(layout);
    }
    return best;
}

std::vector<MeshTraffic> mesh_traffic(const MeshLayout& layout, const std::vector<NodeBox>& boxes, int node_bytes) {
    const Pencils& p = layout.pencils;
    std::vector<MeshTraffic> sent(boxes.size());
    const auto send = [](TrafficCounts::Count& count, std::int64_t bytes) {
        ++count.messages;
        count.bytes += bytes;
    };
    // Charges one way, potentials the other.
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        for_tiles(p, boxes[rank], [&](int tile, std::int64_t nodes) {
            const auto other = place(layout.rank_of_tile[place(tile)]);
            if (other == rank) return;
            send(sent[rank].halo, nodes * node_bytes);
            send(sent[other].halo, nodes * node_bytes);
        });
    }
    // There and back, complex numbers.
    for (int tile = 0; tile < p.tiles(); ++tile) {
        TrafficCounts::Count& count = sent[place(layout.rank_of_tile[place(tile)])].transpose;
        const int i = tile / p.second, j = tile % p.second;
        for (int other = 0; other < p.first; ++other) {
            if (other == i) continue;
            send(count, product(p.kx(other), p.y(i)) * p.z(j).size() * 2 * node_bytes);
            send(count, product(p.kx(i), p.y(other)) * p.z(j).size() * 2 * node_bytes);
        }
        for (int other = 0; other < p.second; ++other) {
            if (other == j) continue;
            send(count, product(p.kx(i), p.ky(other)) * p.z(j).size() * 2 * node_bytes);
            send(count, product(p.kx(i), p.ky(j)) * p.z(other).size() * 2 * node_bytes);
        }
    }
    return sent;
}

std::vector<NodeBox> expected_nodes(const MeshRanks& r) {
    const int regions = r.regions[0] * r.regions[1] * r.regions[2];
    std::vector<NodeBox> boxes(place(regions + r.separate));
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

std::vector<MeshTraffic> predict_mesh_traffic(const MeshRanks& r) {
    const std::vector<NodeBox> boxes = expected_nodes(r);
    const int ranks = static_cast<int>(boxes.size()), first = r.separate > 0 ? ranks - r.separate : 0;
    std::vector<int> mesh_ranks(place(ranks - first));
    std::iota(mesh_ranks.begin(), mesh_ranks.end(), first);
    return mesh_traffic(choose_layout(r.mesh, boxes, mesh_ranks, r.node_bytes), boxes, r.node_bytes);
}

}  // namespace mdsim::mesh
