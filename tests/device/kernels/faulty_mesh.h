// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/mesh/plane_turning.h"

namespace mdsim::kernels {

/// turn_planes, made without its barrier.
MDSIM_LAUNCH_FUNCTION(turn_planes_without_barrier, TurnPlanesArgs);

}  // namespace mdsim::kernels
