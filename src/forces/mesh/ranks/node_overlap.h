// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "forces/mesh/mesh_block.h"
#include "forces/mesh/transform/pencils.h"

namespace mdsim::mesh {

/// The nodes of a tile: all of x, its part of y and z.
inline NodeBox tile_nodes(const Pencils& p, int tile) {
    const Stretch y = p.y(tile / p.second), z = p.points_z(tile % p.second);
    return {{0, y.begin, z.begin}, {p.n[0], y.size(), z.size()}};
}

/// Consecutive nodes that a box and a tile share along an axis: where they begin in each, and how many.
struct SharedNodes {
    int box = 0, tile = 0, count = 0;
};

/// Those of an axis of n mesh points: two stretches at most, as the box may run over the end of the period.
inline std::vector<SharedNodes> shared_nodes(Stretch box, Stretch tile, int n) {
    std::vector<SharedNodes> shared;
    for (const int turn : {0, n}) {
        const int begin = std::max(box.begin, tile.begin + turn), end = std::min(box.end, tile.end + turn);
        if (begin < end) shared.push_back({begin - box.begin, begin - turn - tile.begin, end - begin});
    }
    return shared;
}

/// The nodes that a box shares with a tile, in the order in which they travel: planes of x, rows of y, z.
class NodeOverlap {
  public:
    NodeOverlap(const NodeBox& box, const NodeBox& tile, const std::array<int, 3>& n)
        : nx_(n[0]), first_(box.first[0]), planes_(box.count[0]) {
        const auto stretch = [](const NodeBox& b, std::size_t a) {
            return Stretch{b.first[a], b.first[a] + b.count[a]};
        };
        y_ = shared_nodes(stretch(box, 1), stretch(tile, 1), n[1]);
        z_ = shared_nodes(stretch(box, 2), stretch(tile, 2), n[2]);
        for (const SharedNodes& y : y_) rows_ += y.count;
        for (const SharedNodes& z : z_) row_ += z.count;
    }

    std::int64_t nodes() const { return std::int64_t{planes_} * rows_ * row_; }
    /// The plane of the box that is plane x of the tile; none where it is not below planes().
    int plane_of_box(int x) const { return x >= first_ ? x - first_ : x - first_ + nx_; }
    int plane_of_tile(int plane) const { return (first_ + plane) % nx_; }
    int planes() const { return planes_; }
    /// f(y in the box, z in the box, y in the tile, z in the tile, count, place in the message) for the rows of a plane
    /// of the box.
    template <class F>
    void for_rows(int plane, F&& f) const {
        std::int64_t at = std::int64_t{plane} * rows_ * row_;
        for (const SharedNodes& y : y_) {
            for (int r = 0; r < y.count; ++r) {
                for (const SharedNodes& z : z_) {
                    f(y.box + r, z.box, y.tile + r, z.tile, z.count, at);
                    at += z.count;
                }
            }
        }
    }

  private:
    int nx_, first_, planes_;
    std::vector<SharedNodes> y_, z_;
    int rows_ = 0, row_ = 0;
};

}  // namespace mdsim::mesh
