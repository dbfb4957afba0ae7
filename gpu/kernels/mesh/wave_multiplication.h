// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/complex.h"

namespace mdsim::kernels {

/// Sums over wave vectors [2^-32 kJ/mol], each addend rounded by itself: the energy and the virial. A sum is
/// low + 2^32 high, so that it cannot overflow.
struct WaveTotals {
    enum Index { energy, xx, yx, yy, zx, zy, zz, count };
    std::int64_t low[count], high[count];
};

/// A wave vector of more energy than this is reported, virial included [kJ/mol].
inline constexpr float wave_energy_limit = 1048576.0f;

/// What gamma(k) of a split is (mesh::Split): exp(-gaussian k^2); or, where largest_k2 is above zero, that of prolates,
/// a polynomial of y = scale k^2 - 1, lowest power first, and zero beyond.
struct WaveSplit {
    static constexpr int terms = 24;  ///< mesh::prolate_terms

    float gaussian = 0.0f;                  ///< [nm^2]
    float largest_k2 = 0.0f, scale = 0.0f;  ///< [nm^-2], and 2 / largest_k2
    std::array<float, terms> polynomial{};
};

/// Multiplies the spectrum of the charges by the influence function of mesh::Influence, which makes it that of the
/// potential: scale gamma(k) / k^2 / U^2, with k = 2 pi H^-1 m; zero where |gamma| is below 1e-24. Whether everything
/// is wanted does not change the bits of the spectrum.
struct MultiplyWavesArgs {
    Complex* spectrum = nullptr;                             ///< [count_z][count_y][nx] [e], then [kJ/mol/e]
    int nx = 0, ny = 0, nz = 0;                              ///< of the mesh
    int first_y = 0, count_y = 0, first_z = 0, count_z = 0;  ///< modes that are here; of z there are nz/2 + 1
    const float *unwindow_x = nullptr, *unwindow_y = nullptr, *unwindow_z = nullptr;  ///< 1 / U^2 of each mode
    std::array<float, 6> reciprocal{};  ///< 2 pi H^-1 by rows, lower triangle: xx, yx, yy, zx, zy, zz [1/nm]
    float scale = 0.0f;                 ///< 4 pi ke / V [kJ/mol/e^2/nm^2]
    WaveSplit split{};
    bool everything = false;       ///< energy and virial too
    WaveTotals* totals = nullptr;  ///< [1], added to where everything is wanted
    ForceFlags* flags = nullptr;   ///< [1]; out of range where a wave vector is beyond wave_energy_limit
};
MDSIM_LAUNCH_FUNCTION(multiply_waves, MultiplyWavesArgs);

}  // namespace mdsim::kernels
