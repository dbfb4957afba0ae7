// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/complex.h"

namespace mdsim::kernels {

/// Charges as lines for the Fourier transform along z, of two rows each as they lie in the array (NodeRange). The array
/// is zero afterwards, ready for the next step.
struct PackRowsArgs {
    std::int32_t* grid = nullptr;  ///< [numbers][2] [2^-24 e]
    Complex* lines = nullptr;      ///< out, [numbers] [2 e]: split_rows gives twice the spectrum
    unsigned numbers = 0;
    ForceFlags* flags = nullptr;  ///< [1]; out of range where a point has more than 64 e, as mesh::ChargeGrid has it
};
MDSIM_LAUNCH_FUNCTION(pack_rows, PackRowsArgs);

}  // namespace mdsim::kernels
