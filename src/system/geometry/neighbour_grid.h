// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// Points sorted into cells, to find those near to a place, in a periodic box of any shape or in vacuum. Every image of
/// a point within the reach is found, also where the reach is longer than half the box. Points that are not numbers are
/// near to nothing. Any number of threads may ask at a time.
class NeighbourGrid {
  public:
    /// reach: how far will be looked [nm], above 0.
    NeighbourGrid(const Box& box, std::span<const Vec3d> x, double reach);

    /// Calls f(number of the point, vector from `at` to the image of it, its length squared) for every image with a
    /// length of at most the reach.
    template <class F>
    void for_each(const Vec3d& at, F&& f) const {
        visit(at, [&](std::int64_t point, const Vec3d& d, double d2) {
            f(point, d, d2);
            return false;
        });
    }
    /// Whether there is an image within the reach.
    bool any(const Vec3d& at) const {
        return visit(at, [](std::int64_t, const Vec3d&, double) { return true; });
    }

  private:
    struct Point {
        Vec3d x;  // in the cell of the box
        std::int64_t number;
    };
    /// Cells of the grid along an axis that a place can reach: numbers, and the box vectors on the way to them.
    struct Reached {
        int cell;
        int images;
    };
    Box box_;
    bool wraps_;    // the box is periodic; otherwise it is one around the points
    Vec3d origin_;  // of the box
    double reach2_;
    std::array<int, 3> cells_;    // along each axis
    std::array<int, 3> reached_;  // cells that the reach covers each way
    std::vector<std::size_t> begin_;
    std::vector<Point> points_;

    void choose_cells(std::size_t points, double reach);
    /// The place within the box, and its cell along each axis.
    struct Placed {
        Vec3d x;
        std::array<int, 3> cell;
        bool valid;
    };
    Placed place(const Vec3d& x) const;
    std::size_t number_of(int a, int b, int c) const {
        return (static_cast<std::size_t>(c) * static_cast<std::size_t>(cells_[1]) + static_cast<std::size_t>(b)) *
                   static_cast<std::size_t>(cells_[0]) +
               static_cast<std::size_t>(a);
    }
    bool reached(int axis, int cell, Reached& out) const;

    template <class F>
    bool visit(const Vec3d& at, F&& f) const;
    template <class F>
    bool visit_cell(std::size_t cell, const Vec3d& from, F&& f) const;
};

// Whether there is a cell of this number, which may lie in another image of the box.
inline bool NeighbourGrid::reached(int axis, int cell, Reached& out) const {
    const int count = cells_[static_cast<std::size_t>(axis)];
    out = {cell, 0};
    if (cell >= 0 && cell < count) return true;
    if (!wraps_) return false;
    out.images = cell >= 0 ? cell / count : -((count - 1 - cell) / count);
    out.cell = cell - out.images * count;
    return true;
}

template <class F>
bool NeighbourGrid::visit_cell(std::size_t cell, const Vec3d& from, F&& f) const {
    for (std::size_t n = begin_[cell]; n < begin_[cell + 1]; ++n) {
        const Vec3d d = points_[n].x - from;
        const double d2 = norm2(d);
        if (d2 <= reach2_ && f(points_[n].number, d, d2)) return true;
    }
    return false;
}

// f returns whether that is enough.
template <class F>
bool NeighbourGrid::visit(const Vec3d& at, F&& f) const {
    const Placed placed = place(at);
    if (!placed.valid) return false;
    const Mat3d& rows = box_.rows();
    const auto& [na, nb, nc] = reached_;
    Reached a{}, b{}, c{};
    for (int k = placed.cell[2] - nc; k <= placed.cell[2] + nc; ++k) {
        if (!reached(2, k, c)) continue;
        for (int j = placed.cell[1] - nb; j <= placed.cell[1] + nb; ++j) {
            if (!reached(1, j, b)) continue;
            for (int i = placed.cell[0] - na; i <= placed.cell[0] + na; ++i) {
                if (!reached(0, i, a)) continue;
                // Points of that image as seen from here: the place moved the other way.
                const Vec3d from =
                    placed.x - (static_cast<double>(a.images) * rows[0] + static_cast<double>(b.images) * rows[1] +
                                static_cast<double>(c.images) * rows[2]);
                if (visit_cell(number_of(a.cell, b.cell, c.cell), from, f)) return true;
            }
        }
    }
    return false;
}

}  // namespace mdsim
