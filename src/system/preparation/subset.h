// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "system/topology.h"

namespace mdsim {

/// Names, types, charges, masses and connections of some atoms (global numbers from 0, ascending), for the topology
/// that goes with a trajectory of a selection. Terms of the potential are left out: nothing can be simulated with it.
Topology subset(const Topology& topology, std::span<const std::int64_t> atoms);

}  // namespace mdsim
