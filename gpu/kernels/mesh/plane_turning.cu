// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/mesh/plane_turning.h"
#include "gpu/kernels/mesh/turning_tile.h"

namespace mdsim::kernels::MDSIM_BACKEND {

void turn_planes(gpu::Stream& stream, const TurnPlanesArgs& args) {
    launch_turn_planes<TurnBarriers::all>(stream, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
