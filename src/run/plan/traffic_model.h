// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/plan/layout.h"

namespace mdsim {

/// Messages and bytes that a rank sends in a step: on average, and the most that any does.
struct Sent {
    double messages = 0.0, bytes = 0.0;
    double messages_largest = 0.0, bytes_largest = 0.0;
    double between_nodes = 0.0;  ///< share of both that leaves the node
};

/// Positions and forces are of ranks with atoms, the mesh's messages of all ranks.
struct ExpectedTraffic {
    int regions = 1;                            ///< ranks with atoms
    int mesh_solvers = 1;                       ///< ranks that transform lines of the mesh
    double home_atoms = 0.0, halo_atoms = 0.0;  ///< of a rank with atoms
    Sent positions;
    Sent forces;
    Sent mesh_halo;
    Sent transposes;
    double reductions = 0.0;  ///< over all ranks, in a step
};

/// Bytes of a position (three doubles) and of a force (three 64-bit integers).
inline constexpr double bytes_of_position = 24.0, bytes_of_force = 24.0;

/// docs/scaling.md derives it.
ExpectedTraffic expected_traffic(const Workload& work, const Layout& layout);

}  // namespace mdsim
