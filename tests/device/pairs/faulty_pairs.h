// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/kernels/pair_forces.h"

namespace mdsim::kernels {

/// add_pair_forces for cut Lennard-Jones and a reaction field, made without the barrier before the lanes' sums are
/// read.
MDSIM_LAUNCH_FUNCTION(add_pair_forces_without_barrier, PairForcesArgs);

}  // namespace mdsim::kernels
