// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/vec3.h"
#include "physics/ops.h"

namespace mdsim::physics {

#include "physics/bspline.inl"
#include "physics/polynomial_window.inl"

/// A lattice coordinate u stands for the mesh coordinate u n / 2^32. Its integer part, exact:
MDSIM_FORMULA std::int32_t mesh_node(std::uint32_t u, int n) {
    return static_cast<std::int32_t>((static_cast<std::uint64_t>(u) * static_cast<std::uint64_t>(n)) >> 32);
}
/// and its fraction, cut to what Real holds, which stays below one.
template <class Real>
MDSIM_FORMULA Real mesh_fraction(std::uint32_t u, int n) {
    const auto low = static_cast<std::uint32_t>(static_cast<std::uint64_t>(u) * static_cast<std::uint64_t>(n));
    if constexpr (std::is_same_v<Real, float>) {
        return static_cast<float>(static_cast<std::int32_t>(low >> 8)) * 0x1p-24f;
    } else {
        return static_cast<double>(low) * 0x1p-32;
    }
}

/// F = -q sum_a g_a dw_a/dx with the gradient g of the potential by the mesh coordinates w_a = n_a s_a and the
/// fractional coordinates s = x H^-1: minus dw_a/dx_b, lower triangle by rows (xx, yx, yy, zx, zy, zz) [1/nm]. h: rows
/// of H.
inline std::array<double, 6> mesh_force_matrix(const Mat3d& h, const std::array<int, 3>& mesh) {
    const double ix = 1.0 / h[0].x, iy = 1.0 / h[1].y, iz = 1.0 / h[2].z;
    const double nx = mesh[0], ny = mesh[1], nz = mesh[2];
    return {-nx * ix,
            nx * h[1].x * ix * iy,
            -ny * iy,
            -nx * (h[1].x * h[2].y - h[2].x * h[1].y) * ix * iy * iz,
            ny * h[2].y * iy * iz,
            -nz * iz};
}

}  // namespace mdsim::physics
