// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "system/lattice.h"

namespace mdsim::kernels {

/// Lattice coordinates from the order of atoms, as they come from the host, to that of clusters.
struct GatherPointsArgs {
    const LatticePoint* points = nullptr;  ///< of each atom
    const std::uint32_t* atoms = nullptr;  ///< of each slot (Clusters::atoms)
    ClusterPoints* clusters = nullptr;     ///< out
    unsigned cluster_count = 0;
};
MDSIM_LAUNCH_FUNCTION(gather_points, GatherPointsArgs);

/// Force sums from the order of clusters to that of atoms, as the host wants them.
struct ScatterForcesArgs {
    const ClusterForces* clusters = nullptr;
    const ClusterForces* high = nullptr;  ///< second words
    int high_shift = 0;
    const std::uint32_t* slots = nullptr;  ///< of each atom (Clusters::slots)
    AtomForce* forces = nullptr;           ///< out, of each atom
    ForceFlags* flags = nullptr;           ///< [1]; out of range where a sum is, that is at the same positions always
    unsigned atom_count = 0;
};
MDSIM_LAUNCH_FUNCTION(scatter_forces, ScatterForcesArgs);

}  // namespace mdsim::kernels
