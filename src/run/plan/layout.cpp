// SPDX-License-Identifier: Apache-2.0
#include "run/plan/layout.h"

#include <algorithm>

#include "domain/regions/planes.h"

namespace mdsim {

namespace {

// From here on separate ranks for the mesh can pay: below, the transposes have few partners anyway.
constexpr int least_ranks_to_separate = 8;

std::set<int> mesh_rank_counts(int ranks, const Workload& work) {
    if (work.mesh_ranks) return {work.mesh ? std::min(*work.mesh_ranks, ranks - 1) : 0};
    std::set<int> counts;
    if (work.mesh && ranks >= least_ranks_to_separate) counts = shares_for_mesh(ranks);
    counts.insert(0);
    return counts;
}

std::vector<int> ranks_per_node(const Cluster& cluster, int threads) {
    if (cluster.gpus_per_node > 0) return {cluster.gpus_per_node};
    if (threads > 0) return {std::max(1, cluster.cores_per_node / threads)};
    std::vector<int> counts;
    for (int ranks = 1; ranks <= cluster.cores_per_node; ++ranks) {
        if (cluster.cores_per_node % ranks == 0) counts.push_back(ranks);
    }
    return counts;
}

}  // namespace

std::set<int> shares_for_mesh(int ranks) {
    std::set<int> counts;
    for (const int divisor : {8, 6, 4, 3, 2}) counts.insert(ranks / divisor);
    counts.erase(0);
    return counts;
}

RankGrid region_grid(const Workload& work, const Layout& layout) {
    if (work.grid && regions_of(*work.grid) == layout.particle_ranks()) return *work.grid;
    const double mesh = work.mesh && layout.mesh_ranks == 0 ? work.mesh->size() : 0.0;
    return choose_rank_grid({work.cell, work.reach(), work.density(), mesh}, layout.particle_ranks()).grid;
}

std::array<double, 3> share_between_nodes(const RankGrid& grid, int ranks_per_node) {
    std::array<double, 3> shares{};
    int below = 1;  // ranks from one to its neighbour along this axis
    for (const std::size_t axis : {2U, 1U, 0U}) {
        const int in_node = std::clamp(ranks_per_node / below, 1, grid[axis]);
        shares[axis] = in_node < grid[axis] ? 1.0 / in_node : 0.0;
        below *= grid[axis];
    }
    return shares;
}

std::vector<Layout> candidate_layouts(const Cluster& cluster, int nodes, int threads, const Workload& work) {
    std::vector<Layout> layouts;
    for (const int ranks : ranks_per_node(cluster, threads)) {
        const int of_each = threads > 0 ? threads : cluster.cores_per_node / ranks;
        for (const int mesh : mesh_rank_counts(nodes * ranks, work)) {
            if (cluster.gpus_per_node > 0 && mesh > 0) continue;
            layouts.push_back({.nodes = nodes,
                               .ranks_per_node = ranks,
                               .threads = of_each,
                               .mesh_ranks = mesh,
                               .gpus_per_node = cluster.gpus_per_node});
        }
    }
    return layouts;
}

}  // namespace mdsim
