// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/cluster_layout.h"
#include "system/lattice.h"

namespace mdsim {

/// Where a cluster was when it was made, in lattice units. Its atoms lie within center +- half_extent along each axis.
/// Each atom counts as unwrapped where it is nearest to the centre; images of pairs are relative to that.
struct ClusterBounds {
    std::array<std::uint32_t, 3> center{};
    std::array<std::uint32_t, 3> half_extent{};
    std::uint32_t z_low = 0, z_high = 0;  ///< of its atoms, not wrapped
    float radius = 0.0f;                  ///< of a sphere around the centre [nm]
};

/// Atoms sorted into columns (fractions of the first two box vectors), each column sorted along the third and cut into
/// clusters. Which atoms share a cluster cannot change a force; it decides speed only.
class Clusters {
  public:
    /// has_lj: whether an atom has Lennard-Jones parameters; those atoms come first within each group.
    void build(const Box& cell, std::span<const LatticePoint> points, std::span<const unsigned char> has_lj);
    /// Takes the coordinates of now.
    void gather(std::span<const LatticePoint> points);

    std::size_t size() const { return points_.size(); }
    std::span<const ClusterPoints> points() const { return points_; }
    std::span<const ClusterBounds> bounds() const { return bounds_; }
    /// The atom in each slot (slot = 8 * cluster + place); extent: 8 * size().
    std::span<const std::uint32_t> atoms() const { return atoms_; }
    /// The slot of each atom.
    std::span<const std::uint32_t> slots() const { return slots_; }
    bool real(std::size_t slot) const { return slots_[atoms_[slot]] == slot; }
    /// Rows of a group that may have Lennard-Jones parameters: 0, 2 or 4 (the first ones).
    std::span<const unsigned char> lj_rows() const { return lj_rows_; }

    int columns_x() const { return columns_x_; }
    int columns_y() const { return columns_y_; }
    /// First cluster of column x * columns_y() + y; one more at the end.
    std::span<const std::uint32_t> first_of_column() const { return first_cluster_; }

  private:
    int columns_x_ = 1, columns_y_ = 1;
    std::vector<std::uint32_t> first_cluster_;
    std::vector<std::uint32_t> atoms_, slots_;
    std::vector<ClusterPoints> points_;
    std::vector<ClusterBounds> bounds_;
    std::vector<unsigned char> lj_rows_;
    std::vector<std::uint64_t> sorted_;      // z and atom, column by column
    std::vector<std::uint32_t> first_atom_;  // of each column, into sorted_

    void sort_into_columns(std::span<const LatticePoint> points);
    void fill_column(std::size_t column, std::span<const unsigned char> has_lj);
    void set_bounds(const LatticeMetric<float>& metric, std::size_t cluster);
};

}  // namespace mdsim
