// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/node_range.h"
#include "gpu/kernels/mesh/window/mesh_window.h"

namespace mdsim::kernels {

/// Largest component of a mesh force [kJ/mol/nm]: 2^29 units, what the sums of pairs leave free (high_shift_for).
inline constexpr float mesh_force_limit = 131072.0f;

/// Adds the forces of a potential on the mesh to the charged atoms, each rounded once.
struct GatherForcesArgs {
    const ClusterPoints* clusters = nullptr;
    const float* charges = nullptr;  ///< of each slot [e]; zero in slots that repeat an atom
    unsigned cluster_count = 0;
    MeshWindow window{};
    NodeRange nodes{};                 ///< an atom that reaches others gets a force that means nothing
    const float* potential = nullptr;  ///< [nodes.extent()] [kJ/mol/e]
    std::array<float, 6> matrix{};     ///< physics::mesh_force_matrix [1/nm]
    ClusterForces* forces = nullptr;   ///< added to
    ForceFlags* flags = nullptr;       ///< [1]; out of range where a component is beyond mesh_force_limit
};
MDSIM_LAUNCH_FUNCTION(gather_forces, GatherForcesArgs);

}  // namespace mdsim::kernels
