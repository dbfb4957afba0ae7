// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/mesh_route.h"

#include <algorithm>
#include <numeric>

#include "forces/mesh/ranks/node_overlap.h"

namespace mdsim::mesh {

namespace {

std::size_t place(int i) {
    return static_cast<std::size_t>(i);
}

std::vector<NodeBox> tiles_of_ranks(const MeshLayout& layout, std::size_t ranks) {
    std::vector<NodeBox> tiles(ranks);
    for (int t = 0; t < layout.pencils.tiles(); ++t) {
        tiles[place(layout.rank_of_tile[place(t)])] = tile_nodes(layout.pencils, t);
    }
    return tiles;
}

/// The ranks of a grid in rows along an axis, in the order of their regions.
std::vector<std::vector<int>> rows_along(std::size_t axis, const std::array<int, 3>& grid) {
    const int step = axis == 2 ? 1 : axis == 1 ? grid[2] : grid[1] * grid[2];
    std::vector<std::vector<int>> rows;
    for (int rank = 0; rank < grid[0] * grid[1] * grid[2]; ++rank) {
        if (rank / step % grid[axis] != 0) continue;
        std::vector<int>& row = rows.emplace_back();
        for (int k = 0; k < grid[axis]; ++k) row.push_back(rank + k * step);
    }
    return rows;
}

/// The nodes of an axis that the regions of slab k will have before they are dealt out along x: those of all its parts.
Stretch slab_nodes(const MeshLayout& layout, std::size_t axis, int k) {
    const Pencils& p = layout.pencils;
    const int parts = (axis == 1 ? p.first : p.second) / layout.regions[axis];
    Stretch nodes;
    for (int i = k * parts; i < (k + 1) * parts; ++i) {
        const Stretch part = axis == 1 ? p.y(i) : p.points_z(i);
        if (i == k * parts) nodes.begin = nodes.end = part.begin;
        nodes.end += part.size();
    }
    return nodes;
}

/// The shortest stretch that has all of some stretches of a periodic axis: what is left beside the longest gap.
class Cover {
  public:
    explicit Cover(int n) : n_(n) {}
    void add(Stretch s) { parts_.push_back({s.begin % n_, s.begin % n_ + s.size()}); }
    void put_into(NodeBox& box, std::size_t axis) {
        std::sort(parts_.begin(), parts_.end(), [](Stretch a, Stretch b) { return a.begin < b.begin; });
        int reached = -n_, longest = 0, first = 0;
        for (const Stretch& part : parts_) reached = std::max(reached, part.end - n_);
        for (const Stretch& part : parts_) {
            if (part.begin - reached > longest) {
                longest = part.begin - reached;
                first = part.begin;
            }
            reached = std::max(reached, part.end);
        }
        box.first[axis] = first;
        box.count[axis] = n_ - longest;
    }

  private:
    int n_;
    std::vector<Stretch> parts_;
};

/// What a rank has after a step along an axis: its slab of that axis, and along the others all that it is sent.
NodeBox gathered(const MeshStep& step, const std::vector<int>& row, std::size_t axis, Stretch slab,
                 const std::array<int, 3>& n) {
    NodeBox box;
    const std::size_t others[] = {(axis + 1) % 3, (axis + 2) % 3};
    Cover covers[] = {Cover(n[others[0]]), Cover(n[others[1]])};
    bool any = false;
    for (const int rank : row) {
        const NodeBox& from = step.from[place(rank)];
        if (from.empty() || count_shared(along(from, axis), slab, n[axis]) == 0) continue;
        any = true;
        for (std::size_t i = 0; i < 2; ++i) covers[i].add(along(from, others[i]));
    }
    if (!any) return box;
    box.first[axis] = slab.begin;
    box.count[axis] = slab.size();
    for (std::size_t i = 0; i < 2; ++i) covers[i].put_into(box, others[i]);
    return box;
}

std::vector<MeshStep> staged_route(const MeshLayout& layout, const std::vector<NodeBox>& boxes) {
    std::vector<MeshStep> steps;
    const std::vector<NodeBox>* held = &boxes;
    for (const std::size_t axis : {2U, 1U, 0U}) {
        if (layout.regions[axis] == 1) continue;
        MeshStep step{
            .from = *held, .to = std::vector<NodeBox>(boxes.size()), .rows = rows_along(axis, layout.regions)};
        step.traffic = axis == 0 ? Traffic::mesh_transpose : Traffic::mesh_halo;
        for (const std::vector<int>& row : step.rows) {
            for (std::size_t k = 0; axis != 0 && k < row.size(); ++k) {
                const Stretch slab = slab_nodes(layout, axis, static_cast<int>(k));
                step.to[place(row[k])] = gathered(step, row, axis, slab, layout.pencils.n);
            }
        }
        steps.push_back(std::move(step));
        held = &steps.back().to;
    }
    steps.back().to = tiles_of_ranks(layout, boxes.size());
    return steps;
}

void send(TrafficCounts::Count& count, std::int64_t bytes) {
    ++count.messages;
    count.bytes += bytes;
}

// Charges one way, potentials the other.
void count_route(const MeshLayout& layout, const std::vector<NodeBox>& boxes, int node_bytes,
                 std::vector<MeshTraffic>& sent) {
    for (const MeshStep& step : make_route(layout, boxes)) {
        const auto count = step.traffic == Traffic::mesh_halo ? &MeshTraffic::halo : &MeshTraffic::transpose;
        for (const std::vector<int>& row : step.rows) {
            for (const int from : row) {
                for (const int to : row) {
                    const std::int64_t nodes =
                        count_shared(step.from[place(from)], step.to[place(to)], layout.pencils.n);
                    if (from == to || nodes == 0) continue;
                    send(sent[place(from)].*count, nodes * node_bytes);
                    send(sent[place(to)].*count, nodes * node_bytes);
                }
            }
        }
    }
}

std::int64_t product(Stretch a, Stretch b) {
    return std::int64_t{a.size()} * b.size();
}

// There and back, complex numbers.
void count_transposes(const MeshLayout& layout, int node_bytes, std::vector<MeshTraffic>& sent) {
    const Pencils& p = layout.pencils;
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
}

}  // namespace

NodeBox tile_nodes(const Pencils& p, int tile) {
    const Stretch y = p.y(tile / p.second), z = p.points_z(tile % p.second);
    return {{0, y.begin, z.begin}, {p.n[0], y.size(), z.size()}};
}

std::vector<MeshStep> make_route(const MeshLayout& layout, const std::vector<NodeBox>& boxes) {
    if (layout.way == MeshWay::staged) return staged_route(layout, boxes);
    std::vector<int> all(boxes.size());
    std::iota(all.begin(), all.end(), 0);
    return {{.from = boxes, .to = tiles_of_ranks(layout, boxes.size()), .rows = {all}}};
}

std::vector<MeshTraffic> mesh_traffic(const MeshLayout& layout, const std::vector<NodeBox>& boxes, int node_bytes) {
    std::vector<MeshTraffic> sent(boxes.size());
    count_route(layout, boxes, node_bytes, sent);
    count_transposes(layout, node_bytes, sent);
    return sent;
}

}  // namespace mdsim::mesh
