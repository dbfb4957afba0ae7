// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"

namespace mdsim::kernels {

/// Adds the forces of a potential on the mesh to the charged atoms, each rounded once.
struct GatherForcesArgs {
    const ClusterPoints* clusters = nullptr;
    const float* charges = nullptr;  ///< of each slot [e]; zero in slots that repeat an atom
    unsigned cluster_count = 0;
    int order = 4;  ///< 4, 5 or 6
    int nx = 0, ny = 0, nz = 0;
    const float* potential = nullptr;  ///< [nx][ny][nz] [kJ/mol/e]
    std::array<float, 6> matrix{};     ///< physics::mesh_force_matrix [1/nm]
    ClusterForces* forces = nullptr;   ///< added to
};
MDSIM_LAUNCH_FUNCTION(gather_forces, GatherForcesArgs);

}  // namespace mdsim::kernels
