// SPDX-License-Identifier: Apache-2.0
#include "gpu/kernels/pair_tile.h"
#include "tests/device/pairs/faulty_pairs.h"

namespace mdsim::kernels::MDSIM_BACKEND {

void add_pair_forces_without_barrier(gpu::Stream& stream, const PairForcesArgs& args) {
    launch_pair_forces<PairForm<LjPlain, CoulombReactionField, false, PairBarriers::none_before_reading>>(stream, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
