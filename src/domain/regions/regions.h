// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "domain/regions/halo_geometry.h"
#include "system/lattice.h"

namespace mdsim {

/// One box of lattice coordinates a rank, on a grid whose planes go through the whole cell: rank = (x ny + y) nz + z.
/// Planes need not be equally far apart; moving them shifts work between ranks and changes no bit of a result.
class Regions {
  public:
    using Cell = RankGrid;

    /// Equal regions.
    explicit Regions(Cell grid = {1, 1, 1});

    const Cell& grid() const { return grid_; }
    int count() const { return grid_[0] * grid_[1] * grid_[2]; }
    unsigned split_axes() const;
    Cell cell_of(int rank) const;
    int rank_of(const Cell& cell) const { return (cell[0] * grid_[1] + cell[1]) * grid_[2] + cell[2]; }
    /// The rank that many regions further along an axis, across the end of the cell.
    int neighbour(int rank, std::size_t axis, int steps) const;
    /// The region that a point lies in.
    int rank_at(const LatticePoint& point) const;

    /// Planes along an axis [lattice units]: grid()[axis] + 1 of them, from 0 to 2^32.
    std::span<const std::int64_t> planes(std::size_t axis) const { return planes_[axis]; }
    /// Moves them. First, last and order stay.
    void set_planes(std::size_t axis, std::vector<std::int64_t> planes);
    /// The lattice coordinate of a point, not wrapped, nearest to the middle of a region.
    Vec3l place(const LatticePoint& point, const Cell& cell) const;

  private:
    Cell grid_;
    std::array<std::vector<std::int64_t>, 3> planes_;
};

}  // namespace mdsim
