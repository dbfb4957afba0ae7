// SPDX-License-Identifier: Apache-2.0
#include "run/plan/traffic_model.h"

#include <algorithm>

#include "forces/mesh/ranks/mesh_layout.h"

namespace mdsim {

namespace {

// Of ranks chosen at random, those in other nodes.
double share_elsewhere(const Layout& layout) {
    if (layout.ranks() == 1) return 0.0;
    return 1.0 - static_cast<double>(layout.ranks_per_node - 1) / (layout.ranks() - 1);
}

// Faces along axis a are sent together with what came along the axes after it (z first), so their share of the halo
// decides what leaves the node.
double halo_between_nodes(const Workload& work, const RankGrid& grid, int ranks_per_node) {
    const std::array<double, 3> shares = share_between_nodes(grid, ranks_per_node);
    double so_far = 0.0, weighted = 0.0;
    std::array<double, 3> widths{1.0, 1.0, 1.0};
    std::array<double, 3> edge{1.0 / grid[0], 1.0 / grid[1], 1.0 / grid[2]};
    for (const std::size_t axis : {2U, 1U, 0U}) {
        widths[axis] = edge[axis];
        // The halo of a region that is split along the axes so far, as much of it as is in this one.
        double of_region = 1.0;
        for (std::size_t a = 0; a < 3; ++a) of_region *= edge[a] / widths[a];
        const double volume = halo_volume(work.cell, widths, work.reach()) * of_region;
        weighted += shares[axis] * (volume - so_far);
        so_far = volume;
    }
    return so_far > 0.0 ? std::max(0.0, weighted) / so_far : 0.0;
}

void add_halo(ExpectedTraffic& traffic, const Workload& work, const Layout& layout, const RankGrid& grid) {
    // Atoms may hang out of their region on its other side, too.
    const std::array<int, 3> pulses = halo_pulses(work.cell, grid, work.reach() + work.unit_radius);
    const double messages = pulses[0] + pulses[1] + pulses[2];
    const double between = halo_between_nodes(work, grid, layout.ranks_per_node);
    traffic.regions = regions_of(grid);
    traffic.home_atoms = static_cast<double>(work.atoms) / traffic.regions;
    traffic.halo_atoms = work.density() * halo_volume(work.cell, grid, work.reach());
    const auto sent = [&](double bytes) { return Sent{messages, bytes, messages, bytes, between}; };
    traffic.positions = sent(bytes_of_position * traffic.halo_atoms);
    traffic.forces = sent(bytes_of_force * traffic.halo_atoms);
}

void add(Sent& sent, const TrafficCounts::Count& of_rank, int ranks) {
    const auto messages = static_cast<double>(of_rank.messages), bytes = static_cast<double>(of_rank.bytes);
    sent.messages += messages / ranks;
    sent.bytes += bytes / ranks;
    sent.messages_largest = std::max(sent.messages_largest, messages);
    sent.bytes_largest = std::max(sent.bytes_largest, bytes);
}

// As the mesh deals out its lines (docs/theory/mesh_over_ranks.md).
void add_mesh(ExpectedTraffic& traffic, const Workload& work, const Layout& layout, const RankGrid& grid) {
    mesh::MeshRanks ranks{.mesh = work.mesh->points,
                          .order = work.mesh->order,
                          .node_bytes = work.mesh->value_bytes,
                          .regions = grid,
                          .separate = layout.mesh_ranks,
                          .idle = layout.particle_ranks() - traffic.regions};
    const Vec3d heights = work.cell.heights();
    for (int a = 0; a < 3; ++a) {
        ranks.overhang[a] = work.unit_radius / heights[a];
        ranks.moves[a] = work.farthest_move / heights[a];
    }
    const mesh::MeshLayout lines = mesh::expected_layout(ranks);
    traffic.mesh_solvers = lines.pencils.tiles();
    for (const mesh::MeshTraffic& sent : mesh::mesh_traffic(lines, mesh::expected_nodes(ranks), ranks.node_bytes)) {
        add(traffic.mesh_halo, sent.halo, layout.ranks());
        add(traffic.transposes, sent.transpose, layout.ranks());
    }
    traffic.transposes.between_nodes = share_elsewhere(layout);
    // By stages charges go to neighbours, as positions do.
    traffic.mesh_halo.between_nodes =
        layout.mesh_ranks == 0 ? traffic.positions.between_nodes : traffic.transposes.between_nodes;
}

}  // namespace

ExpectedTraffic expected_traffic(const Workload& work, const Layout& layout) {
    ExpectedTraffic traffic;
    const RankGrid grid = region_grid(work, layout);
    add_halo(traffic, work, layout, grid);
    if (layout.ranks() == 1) return traffic;
    if (work.mesh) add_mesh(traffic, work, layout, grid);
    traffic.reductions = 1.0 + work.sums_per_step;
    return traffic;
}

}  // namespace mdsim
