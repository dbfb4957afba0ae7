// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "physics/ops.h"
#include "physics/pair_tails.h"

namespace mdsim::physics {

#include "physics/pair_formulas.inl"

}  // namespace mdsim::physics
