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
///   pack_rows       charges [nx][ny][nz] to lines [nx ny / 2][nz]       transform along z
///   split_rows      to [nz/2 + 1][nx][ny]                               transform along y
///   turn_planes     to [nz/2 + 1][ny][nx]                               transform along x
///   multiply_waves  by the influence function                           transform along x
///   turn_planes     to [nz/2 + 1][nx][ny]                               transform along y
///   merge_rows      to lines [nx ny / 2][nz]                            transform along z: the potential
inline constexpr unsigned solve_threads = 128;  ///< of a block in all of these

/// Lines that hold `rows` real rows.
constexpr unsigned row_pairs(unsigned rows) {
    return (rows + 1) / 2;
}

}  // namespace mdsim::kernels
