// SPDX-License-Identifier: Apache-2.0
#pragma once

// Only a .cu includes this.

#include <bit>

#include "gpu/api/kernel.h"
#include "gpu/kernels/pair_list/point_moves.h"

namespace mdsim::kernels::MDSIM_BACKEND {

MDSIM_ON_DEVICE bool is_due(const MoveLimit& limit) {
    return limit.largest == nullptr || std::bit_cast<float>(*limit.largest) > limit.square;
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
