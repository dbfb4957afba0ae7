// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/launch.h"
#include "gpu/kernels/mesh/complex.h"

namespace mdsim::kernels {

/// Turns planes of numbers so that lines along the other axis are in one piece.
struct TurnPlanesArgs {
    const Complex* from = nullptr;  ///< [planes][rows][columns]
    Complex* to = nullptr;          ///< out, [planes][columns][rows]
    unsigned planes = 0, rows = 0, columns = 0;
};
MDSIM_LAUNCH_FUNCTION(turn_planes, TurnPlanesArgs);

}  // namespace mdsim::kernels
