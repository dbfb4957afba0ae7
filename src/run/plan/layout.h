// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <set>
#include <vector>

#include "run/plan/request.h"
#include "run/plan/workload.h"

namespace mdsim {

/// How ranks and threads are laid over nodes.
struct Layout {
    int nodes = 1;
    int ranks_per_node = 1;
    int threads = 1;     ///< of each rank
    int mesh_ranks = 0;  ///< of all ranks, those that do nothing but the mesh; 0: every rank does its part of it
    int gpus_per_node = 0;

    int ranks() const { return nodes * ranks_per_node; }
    /// Those that may have atoms; more than there are regions stay idle.
    int particle_ranks() const { return ranks() - mesh_ranks; }
};

/// The grid of regions that the ranks with atoms have: as given, or as a run chooses it. More ranks than can be used
/// leave some idle.
RankGrid region_grid(const Workload& work, const Layout& layout);

/// Numbers of ranks that may do the mesh alone where it is a tenth to half of the work: an eighth to half of all.
std::set<int> shares_for_mesh(int ranks);

/// Share of the messages along each axis that leave the node. Neighbours along z are neighbours in the numbering of
/// ranks, and a launcher gives each node a run of numbers.
std::array<double, 3> share_between_nodes(const RankGrid& grid, int ranks_per_node);

/// Layouts worth a look for so many nodes: every number of threads that divides the cores of a node (with GPUs: one
/// rank for each GPU), with and without ranks for the mesh alone. threads: > 0: only this many.
std::vector<Layout> candidate_layouts(const Cluster& cluster, int nodes, int threads, const Workload& work);

}  // namespace mdsim
