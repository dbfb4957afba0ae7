// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "forces/mesh/mesh_block.h"
#include "forces/mesh/transform/pencils.h"

namespace mdsim::mesh {

/// Consecutive nodes that two boxes share along an axis: where they begin in each, and how many.
struct SharedNodes {
    int from = 0, to = 0, count = 0;
};

/// Those of an axis of n mesh points: several stretches where a box runs over the end of the period.
inline std::vector<SharedNodes> shared_nodes(Stretch from, Stretch to, int n) {
    std::vector<SharedNodes> shared;
    for (const int turn : {-n, 0, n}) {
        const int begin = std::max(from.begin, to.begin + turn), end = std::min(from.end, to.end + turn);
        if (begin < end) shared.push_back({begin - from.begin, begin - turn - to.begin, end - begin});
    }
    return shared;
}

/// How many there are.
inline int count_shared(Stretch a, Stretch b, int n) {
    int count = 0;
    for (const int turn : {-n, 0, n})
        count += std::max(0, std::min(a.end, b.end + turn) - std::max(a.begin, b.begin + turn));
    return count;
}

inline Stretch along(const NodeBox& box, std::size_t axis) {
    return {box.first[axis], box.first[axis] + box.count[axis]};
}

/// Nodes that two boxes of a mesh of n points share.
inline std::int64_t count_shared(const NodeBox& a, const NodeBox& b, const std::array<int, 3>& n) {
    std::int64_t nodes = 1;
    for (std::size_t axis = 0; axis < 3 && nodes > 0; ++axis)
        nodes *= count_shared(along(a, axis), along(b, axis), n[axis]);
    return nodes;
}

/// The nodes that two boxes share, in the order in which they travel from one to the other: planes of x, rows of y, z.
class NodeOverlap {
  public:
    /// n: mesh points.
    NodeOverlap(const NodeBox& from, const NodeBox& to, const std::array<int, 3>& n)
        : x_(shared_nodes(along(from, 0), along(to, 0), n[0])),
          y_(shared_nodes(along(from, 1), along(to, 1), n[1])),
          z_(shared_nodes(along(from, 2), along(to, 2), n[2])) {
        for (const SharedNodes& x : x_) planes_ += x.count;
        for (const SharedNodes& y : y_) rows_ += y.count;
        for (const SharedNodes& z : z_) row_ += z.count;
    }

    std::int64_t nodes() const { return std::int64_t{planes_} * rows_ * row_; }
    /// Where a plane of a box is in the other one and in the message.
    struct Plane {
        int there = 0, number = 0;
    };
    /// f(plane) with plane x of `from`, if that is shared.
    template <class F>
    void with_plane_of_from(int x, F&& f) const {
        int number = 0;
        for (const SharedNodes& s : x_) {
            if (x >= s.from && x < s.from + s.count) f(Plane{s.to + x - s.from, number + x - s.from});
            number += s.count;
        }
    }
    template <class F>
    void with_plane_of_to(int x, F&& f) const {
        int number = 0;
        for (const SharedNodes& s : x_) {
            if (x >= s.to && x < s.to + s.count) f(Plane{s.from + x - s.to, number + x - s.to});
            number += s.count;
        }
    }
    /// A piece of a row: where it is in each box and in the message.
    struct Row {
        int from_y = 0, from_z = 0, to_y = 0, to_z = 0, count = 0;
        std::int64_t at = 0;
    };
    /// f(row) for those of a plane, by its number in the message.
    template <class F>
    void for_rows(int plane, F&& f) const {
        std::int64_t at = std::int64_t{plane} * rows_ * row_;
        for (const SharedNodes& y : y_) {
            for (int r = 0; r < y.count; ++r) {
                for (const SharedNodes& z : z_) {
                    f(Row{y.from + r, z.from, y.to + r, z.to, z.count, at});
                    at += z.count;
                }
            }
        }
    }

  private:
    std::vector<SharedNodes> x_, y_, z_;
    int planes_ = 0, rows_ = 0, row_ = 0;
};

}  // namespace mdsim::mesh
