// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "system/box.h"

namespace mdsim {

/// Atoms of a cluster. Empty slots repeat an atom of the cluster, without charge and Lennard-Jones parameters.
inline constexpr int cluster_size = 8;
/// A group is one half of a cluster: the i side of the pair list.
inline constexpr int group_rows = 4;

/// Lattice coordinates of a cluster, axis by axis.
struct alignas(32) ClusterPoints {
    std::uint32_t x[cluster_size], y[cluster_size], z[cluster_size];
};

/// Whole boxes, -2 ... 2 along each axis, as one number.
inline constexpr int shift_count = 125;
inline constexpr int no_shift = 62;
constexpr int shift_code(int x, int y, int z) {
    return 25 * (x + 2) + 5 * (y + 2) + (z + 2);
}
constexpr Vec3<int> shift_of(int code) {
    return {code / 25 - 2, code / 5 % 5 - 2, code % 5 - 2};
}
/// What one box along an axis adds to the code.
inline constexpr std::array<int, 3> shift_step{25, 5, 1};

/// In place of the image of clusters whose atoms may meet through more than one (boxes little larger than twice the
/// radius).
inline constexpr std::int32_t ambiguous_shift = shift_count;

/// A cluster of which only some pairs with a group count: bit 8 * row + lane.
struct MaskedEntry {
    std::uint32_t cluster = 0;
    std::uint32_t mask = 0;
};

/// Clusters beyond the cutoff lie in shells of equal difference of r^2 up to the radius of the list.
inline constexpr int shell_count = 3;

/// One group and the clusters within reach of it through one and the same periodic image. Ranges are into the arrays
/// of its chunk. Clusters are in order of their distance when the list was pruned: up to ends[0] those with an atom
/// within the cutoff, up to ends[k] those of shell k (from 1 on).
struct PairRow {
    std::uint32_t group = 0;  ///< 2 * cluster + half
    std::int32_t shift = no_shift;
    std::uint32_t masked_begin = 0, masked_end = 0;
    std::uint32_t begin = 0;
    std::array<std::uint32_t, shell_count + 1> ends{};

    std::uint32_t end() const { return ends.back(); }
};

/// Rows of a few neighbouring clusters; every pair of atoms is in one row only.
struct PairChunk {
    std::vector<PairRow> rows;
    std::vector<MaskedEntry> masked;
    std::vector<std::uint32_t> plain;
};

/// Lattice differences to nm, in one number type: X = x xx + y yx + z zx, Y = y yy + z zy, Z = z zz.
template <class Real>
struct LatticeMetric {
    Real xx = 0, yx = 0, zx = 0, yy = 0, zy = 0, zz = 0;

    LatticeMetric() = default;
    explicit LatticeMetric(const Box& cell) {
        constexpr double unit = 1.0 / 4294967296.0;
        const Mat3d& h = cell.rows();
        xx = static_cast<Real>(h[0].x * unit);
        yx = static_cast<Real>(h[1].x * unit);
        zx = static_cast<Real>(h[2].x * unit);
        yy = static_cast<Real>(h[1].y * unit);
        zy = static_cast<Real>(h[2].y * unit);
        zz = static_cast<Real>(h[2].z * unit);
    }
};

/// The signed difference of two lattice coordinates: the minimum image.
constexpr std::int32_t lattice_difference(std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int32_t>(a - b);
}

}  // namespace mdsim
