// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/mesh/turning_tile.h"
#include "tests/device/kernels/faulty_mesh.h"

namespace mdsim::kernels::MDSIM_BACKEND {

void turn_planes_without_barrier(gpu::Stream& stream, const TurnPlanesArgs& args) {
    launch_turn_planes<TurnBarriers::none>(stream, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
