// SPDX-License-Identifier: Apache-2.0
#include "system/geometry/neighbour_grid.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace mdsim {

namespace {

bool is_number(const Vec3d& x) {
    return std::isfinite(norm2(x));
}

/// Lowest corner and extent of points.
struct Extent {
    Vec3d low{}, size{};
};

Extent extent_of(std::span<const Vec3d> x) {
    Vec3d low{}, high{};
    bool any = false;
    for (const Vec3d& r : x) {
        if (!is_number(r)) continue;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = any ? std::min(low[axis], r[axis]) : r[axis];
            high[axis] = any ? std::max(high[axis], r[axis]) : r[axis];
        }
        any = true;
    }
    return {low, high - low};
}

}  // namespace

NeighbourGrid::NeighbourGrid(const Box& box, std::span<const Vec3d> x, double reach)
    : box_(box), wraps_(box.periodic()), origin_{}, reach2_(reach * reach), cells_{}, reached_{} {
    MDSIM_EXPECT(reach > 0.0);
    if (!wraps_) {
        const Extent extent = extent_of(x);
        const auto edge = [&](double size) { return std::max(size, reach) * (1.0 + 1e-9); };
        box_ = Box::rectangular(edge(extent.size.x), edge(extent.size.y), edge(extent.size.z));
        origin_ = extent.low;
    }
    choose_cells(x.size(), reach);
    std::vector<Placed> placed;
    placed.reserve(x.size());
    begin_.assign(number_of(0, 0, cells_[2]) + 1, 0);
    for (const Vec3d& r : x) {
        const Placed& p = placed.emplace_back(place(r));
        if (p.valid) ++begin_[number_of(p.cell[0], p.cell[1], p.cell[2]) + 1];
    }
    for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
    points_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Placed& p = placed[i];
        if (!p.valid) continue;
        points_[next[number_of(p.cell[0], p.cell[1], p.cell[2])]++] = {p.x, static_cast<std::int64_t>(i)};
    }
}

// As small as the reach, so that a place looks into its own cell and the next ones; larger where there would be many
// more cells than points.
void NeighbourGrid::choose_cells(std::size_t points, double reach) {
    const Vec3d heights = box_.heights();
    const double most = 2.0 * static_cast<double>(points) + 64.0;
    const double size = std::max(reach * (1.0 + 1e-9), std::cbrt(heights.x / most * heights.y * heights.z));
    for (int axis = 0; axis < 3; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        cells_[at] = static_cast<int>(std::clamp(std::floor(heights[axis] / size), 1.0, 1024.0));
        reached_[at] = static_cast<int>(std::ceil(reach * cells_[at] / heights[axis]));
    }
}

NeighbourGrid::Placed NeighbourGrid::place(const Vec3d& x) const {
    if (!is_number(x)) return {{}, {}, false};
    Vec3d s = box_.to_fractional(x - origin_);
    Placed placed{x - origin_, {}, true};
    if (wraps_) {
        for (int axis = 0; axis < 3; ++axis) s[axis] -= std::floor(s[axis]);
        placed.x = box_.to_cartesian(s);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const auto at = static_cast<std::size_t>(axis);
        const double cell = std::floor(s[axis] * cells_[at]);
        // A place outside of a box that does not wrap reaches no cell, however far away it is.
        const double beyond = wraps_ ? 0.0 : reached_[at] + 1.0;
        placed.cell[at] = static_cast<int>(std::clamp(cell, -beyond, cells_[at] - 1 + beyond));
    }
    return placed;
}

}  // namespace mdsim
