// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "system/lattice.h"

namespace mdsim::kernels {

/// Lattice coordinates from the order of atoms, as they come from the host, to that of clusters, of some clusters that
/// follow one another. Sets their sums to zero on the way, for what comes next; and the flags, where the first cluster
/// is among them or would be if there was one.
struct GatherPointsArgs {
    const LatticePoint* points = nullptr;  ///< of each atom
    const std::uint32_t* atoms = nullptr;  ///< of each slot (Clusters::atoms)
    ClusterPoints* clusters = nullptr;     ///< out
    unsigned cluster_count = 0;            ///< of those that are gathered
    ClusterForces* forces = nullptr;       ///< out: zero, of each cluster
    ClusterForces* high = nullptr;         ///< out: zero, of each cluster
    ForceFlags* flags = nullptr;           ///< [1], out: zero where first_cluster is 0
    unsigned first_cluster = 0;
};
MDSIM_LAUNCH_FUNCTION(gather_points, GatherPointsArgs);

/// Force sums from the order of clusters to that of atoms, as the host wants them. Sums that do not fit 32 bits are
/// AtomForce::out_of_range, and all are where the flags say so: that depends on the positions alone, and the host sees
/// it without asking for anything else.
struct ScatterForcesArgs {
    const ClusterForces* clusters = nullptr;
    const ClusterForces* high = nullptr;  ///< second words
    int high_shift = 0;
    const std::uint32_t* slots = nullptr;  ///< of each atom (Clusters::slots)
    AtomForce* forces = nullptr;           ///< out, of each atom
    const ForceFlags* flags = nullptr;     ///< [1]
    unsigned atom_count = 0;
};
MDSIM_LAUNCH_FUNCTION(scatter_forces, ScatterForcesArgs);

}  // namespace mdsim::kernels
