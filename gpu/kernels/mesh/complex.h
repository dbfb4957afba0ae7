// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim::kernels {

/// As std::complex<float>, and aligned so that a device moves it in one piece.
struct alignas(8) Complex {
    float re, im;
};

/// The solve in reciprocal space works on two arrays of these in turn. Real lines along z are transformed in pairs;
/// the spectrum is kept for kz = 0 ... nz/2.
///
///   pack_rows       charges of pairs of planes to lines [nx / 2][ny][nz]    transform along z
///   split_rows      to [nz/2 + 1][nx][ny]                                   transform along y
///   turn_planes     to [nz/2 + 1][ny][nx]                                   transform along x
///   multiply_waves  by the influence function                               transform along x
///   turn_planes     to [nz/2 + 1][nx][ny]                                   transform along y
///   merge_rows      to lines [nx / 2][ny][nz]                               transform along z: the potential
///
/// A device that solves a part of the mesh has, of these axes, x and y in part while it transforms along z, z and x
/// while it does along y, and z and y at last (PencilSolver).
inline constexpr unsigned solve_threads = 128;  ///< of a block in all of these

/// Pairs that `planes` planes make, the last one perhaps without a partner.
constexpr unsigned plane_pairs(unsigned planes) {
    return (planes + 1) / 2;
}

}  // namespace mdsim::kernels
