// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "parallel/comm.h"
#include "run/setup.h"

namespace mdsim {

/// Gives what the leading rank has read to the others: the input, the topology by molecule types, the box. Positions
/// stay with the lead until a Domain distributes them; elsewhere `start` has no atoms. Collective.
void share_setup(Setup& setup, const Comm& comm);

}  // namespace mdsim
