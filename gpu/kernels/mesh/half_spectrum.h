// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/launch.h"
#include "gpu/kernels/mesh/complex.h"

namespace mdsim::kernels {

/// Between lines along z, each with two real rows, and the half of the rows' spectra that says it all. A row with
/// another as its imaginary part has the spectrum F(k) + F(n - k)*, and the other the same divided by i, both doubled.
/// The two are of neighbouring planes of x and the same y.
struct HalfSpectrumArgs {
    Complex* lines = nullptr;     ///< [plane_pairs(planes)][rows][nz]
    Complex* spectrum = nullptr;  ///< [nz/2 + 1][planes][rows], that is lines along y
    unsigned planes = 0, rows = 0, nz = 0;
};
/// From lines to the spectrum, doubled.
MDSIM_LAUNCH_FUNCTION(split_rows, HalfSpectrumArgs);
/// From the spectrum to lines. What of a spectrum belongs to no real row (an imaginary part at k = 0 or nz/2) is left
/// out.
MDSIM_LAUNCH_FUNCTION(merge_rows, HalfSpectrumArgs);

}  // namespace mdsim::kernels
