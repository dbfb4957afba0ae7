// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mdsim::kernels {

/// Consecutive nodes of the periodic mesh along each axis, which may go on from its beginning at its end, and where
/// they are in an array of charges or of the potential: planes of x two by two, node by node,
/// [pairs of planes][y][z][2]. So the two numbers of a place are the real and the imaginary part of one of a line along
/// z. Where the planes are odd in number, what is beside the last one belongs to no node.
struct NodeRange {
    int first[3], count[3], mesh[3];  // count: not more than there are

    /// All nodes of a mesh.
    static constexpr NodeRange whole(int nx, int ny, int nz) { return {{0, 0, 0}, {nx, ny, nz}, {nx, ny, nz}}; }
    /// Numbers of the array.
    constexpr std::size_t extent() const {
        return 2 * ((static_cast<std::size_t>(count[0]) + 1) / 2) * static_cast<std::size_t>(count[1]) *
               static_cast<std::size_t>(count[2]);
    }
    /// The place of a node that is the sum of its three axes'; k counts from the first of these nodes. Less than 2^31.
    constexpr int along_x(int k) const { return k / 2 * (2 * count[1] * count[2]) + k % 2; }
    constexpr int along_y(int k) const { return k * (2 * count[2]); }
    constexpr int along_z(int k) const { return 2 * k; }
    constexpr int along(int axis, int k) const { return axis == 0 ? along_x(k) : axis == 1 ? along_y(k) : along_z(k); }
    /// A node of the mesh, at most once beyond its end, counted from the first of these; -1 where it is none of them.
    constexpr int number(int axis, int node) const {
        const int n = of(mesh, axis), k = node - of(first, axis), turned = k < 0 ? k + n : k >= n ? k - n : k;
        return turned < of(count, axis) ? turned : -1;
    }
    /// Where each lane asks for an axis of its own, an index would move the array to slow memory.
    static constexpr int of(const int (&values)[3], int axis) {
        return axis == 0 ? values[0] : axis == 1 ? values[1] : values[2];
    }
};

}  // namespace mdsim::kernels
