// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "pairs/cluster_layout.h"
#include "system/lattice.h"

namespace mdsim {

/// Where the atoms of this rank come from: first its home atoms, then those of the halo.
struct AtomZones {
    /// Bit a of an atom: along axis a its region is another one than ours, and seen from here lies above it. 0: at
    /// home. Atoms that are both above along some axis do not meet here. Extent: atoms; empty where nothing is shared.
    std::vector<std::uint8_t> above;
    /// Lattice coordinates, not wrapped, as seen from here, at a time from which on no atom has moved by more than a
    /// quarter of the box; looked at in searches only. Extent: atoms; empty where nothing is shared.
    std::span<const Vec3l> places;
    std::size_t home = 0;  ///< atoms at home
    std::int64_t all = 0;  ///< atoms of all ranks
    bool shared = false;   ///< several ranks have regions

    static AtomZones of_one_rank(std::size_t atoms) {
        AtomZones zones;
        zones.home = atoms;
        zones.all = static_cast<std::int64_t>(atoms);
        return zones;
    }
};

/// Where a cluster was when it was made, in lattice units. Its atoms lie within center +- half_extent along each axis.
/// Each atom counts as unwrapped where it is nearest to the centre; images of pairs are relative to that.
struct ClusterBounds {
    std::array<std::uint32_t, 3> center{};
    std::array<std::uint32_t, 3> half_extent{};
    std::int64_t z_low = 0, z_high = 0;  ///< of its atoms, not wrapped
    float radius = 0.0f;                 ///< of a sphere around the centre [nm]
    std::array<std::int8_t, 3> boxes{};  ///< whole boxes by which the place of the centre is beyond `center`
    std::uint8_t above = 0;              ///< of all its atoms, see AtomZones
};

/// The clusters of the atoms that are above along the same axes.
struct ClusterZone {
    std::uint8_t above = 0;
    std::array<int, 2> low{}, count{1, 1};              ///< its columns along the first two axes; low is not wrapped
    std::int64_t z_low = 0;                             ///< of its atoms
    std::uint32_t first_column = 0;                     ///< the column (x, y) is count[1] * (x - low) + (y - low) on
    std::uint32_t first_cluster = 0, last_cluster = 0;  ///< up to, and without, the last

    std::uint32_t columns() const {
        return static_cast<std::uint32_t>(count[0]) * static_cast<std::uint32_t>(count[1]);
    }
    std::uint32_t column(int x, int y) const {
        return first_column + static_cast<std::uint32_t>((x - low[0]) * count[1] + (y - low[1]));
    }
};

/// Atoms sorted by zone, in each into columns (fractions of the first two box vectors), each column sorted along the
/// third and cut into clusters. Which atoms share a cluster cannot change a force; it decides speed only.
class Clusters {
  public:
    /// has_lj: whether an atom has Lennard-Jones parameters; those atoms come first within each group.
    void build(const Box& cell, std::span<const LatticePoint> points, std::span<const unsigned char> has_lj,
               const AtomZones& zones);
    /// Takes the coordinates of now into the clusters first ... last - 1.
    void gather(std::span<const LatticePoint> points, std::size_t first, std::size_t last);

    std::size_t size() const { return points_.size(); }
    /// The number of those of home atoms, which come first.
    std::size_t home() const { return home_; }
    std::span<const ClusterPoints> points() const { return points_; }
    std::span<const ClusterBounds> bounds() const { return bounds_; }
    /// The atom in each slot (slot = 8 * cluster + place); extent: 8 * size().
    std::span<const std::uint32_t> atoms() const { return atoms_; }
    /// The slot of each atom.
    std::span<const std::uint32_t> slots() const { return slots_; }
    bool real(std::size_t slot) const { return slots_[atoms_[slot]] == slot; }
    /// Rows of a group that may have Lennard-Jones parameters: 0, 2 or 4 (the first ones).
    std::span<const unsigned char> lj_rows() const { return lj_rows_; }

    /// Those that have atoms, home first.
    std::span<const ClusterZone> zones() const { return zones_; }
    /// Columns to the box along an axis (0 or 1).
    int columns(std::size_t axis) const { return columns_[axis]; }
    /// First cluster of each column; one more at the end.
    std::span<const std::uint32_t> first_of_column() const { return first_cluster_; }

  private:
    struct Places;

    std::array<int, 2> columns_{1, 1};
    std::size_t home_ = 0;
    std::vector<ClusterZone> zones_;
    std::vector<std::uint32_t> first_cluster_;
    std::vector<std::uint32_t> atoms_, slots_;
    std::vector<ClusterPoints> points_;
    std::vector<ClusterBounds> bounds_;
    std::vector<unsigned char> lj_rows_;
    std::vector<std::uint64_t> sorted_;      // height and atom, column by column
    std::vector<std::uint32_t> first_atom_;  // of each column, into sorted_

    void choose_columns(const Box& cell, const AtomZones& zones);
    void find_zones(const Places& places);
    void sort_into_columns(const Places& places);
    void cut_columns(const Places& places);
    void fill_column(const ClusterZone& zone, std::size_t column, const Places& places,
                     std::span<const unsigned char> has_lj);
    std::uint32_t cut(std::uint32_t first, std::uint32_t last, const Places& places) const;
    void set_bounds(const LatticeMetric<float>& metric, std::size_t cluster, const Places& places);
};

}  // namespace mdsim
