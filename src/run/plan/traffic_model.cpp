// SPDX-License-Identifier: Apache-2.0
#include "run/plan/traffic_model.h"

#include <algorithm>
#include <cmath>

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
    const std::array<int, 3> pulses = halo_pulses(work.cell, grid, work.reach());
    const double messages = pulses[0] + pulses[1] + pulses[2];
    const double between = halo_between_nodes(work, grid, layout.ranks_per_node);
    traffic.home_atoms = static_cast<double>(work.atoms) / layout.particle_ranks();
    traffic.halo_atoms = work.density() * halo_volume(work.cell, grid, work.reach());
    traffic.positions = {messages, bytes_of_position * traffic.halo_atoms, between};
    traffic.forces = {messages, bytes_of_force * traffic.halo_atoms, between};
}

// Points along an axis that the charges of a region reach, and in how many of `parts` slabs they lie.
struct Reached {
    double points = 0.0;
    double slabs = 1.0;
};
Reached reached(int points, double width, double margin, int parts) {
    const double n = points;
    const double wanted = std::min(n, n * width + margin);
    const double slab = n / parts;
    return {wanted, std::min<double>(parts, std::ceil(wanted / slab) + (parts > 1 ? 1.0 - slab / n : 0.0))};
}

// Each rank spreads its charges over the points near its region and sends them to those who transform them; potentials
// of the same points come back.
void add_mesh_halo(ExpectedTraffic& traffic, const Workload& work, const Layout& layout, const RankGrid& grid) {
    const MeshWork& mesh = *work.mesh;
    const std::array<int, 2> pencils = pencil_grid(layout.mesh_solvers());
    const Vec3d heights = work.cell.heights();
    double points = 1.0, partners = 1.0;
    for (std::size_t a = 0; a < 3; ++a) {
        const double wander = 2.0 * work.unit_radius / heights[static_cast<int>(a)] * mesh.points[a];
        const double margin = grid[a] > 1 ? mesh.order - 1 + wander : 0.0;
        // Pencils run along x; rows cut y and columns cut z.
        const int parts = a == 0 ? 1 : pencils[a - 1];
        const Reached r = reached(mesh.points[a], 1.0 / grid[a], margin, parts);
        points *= r.points;
        partners *= r.slabs;
    }
    const double own = layout.mesh_ranks > 0 ? 0.0 : std::min(1.0, 1.0 / partners);
    traffic.mesh_halo = {2.0 * partners * (1.0 - own), 2.0 * mesh.value_bytes * points * (1.0 - own),
                         share_elsewhere(layout)};
}

// There and back: from pencils along x to ones along y (within a row), on to ones along z (within a column).
void add_transposes(ExpectedTraffic& traffic, const Workload& work, const Layout& layout) {
    const MeshWork& mesh = *work.mesh;
    const int solvers = layout.mesh_solvers();
    const std::array<int, 2> pencils = pencil_grid(solvers);
    const double spectrum = 2.0 * mesh.value_bytes * (mesh.points[0] / 2 + 1) * mesh.points[1] * mesh.points[2];
    for (const int partners : pencils) {
        traffic.transposes.messages += 2.0 * (partners - 1);
        traffic.transposes.bytes += 2.0 * spectrum / solvers * (partners - 1) / partners;
    }
    traffic.transposes.between_nodes = share_elsewhere(layout);
}

}  // namespace

ExpectedTraffic expected_traffic(const Workload& work, const Layout& layout) {
    ExpectedTraffic traffic;
    const RankGrid grid = region_grid(work, layout);
    add_halo(traffic, work, layout, grid);
    if (layout.ranks() == 1) return traffic;
    if (work.mesh) {
        add_mesh_halo(traffic, work, layout, grid);
        add_transposes(traffic, work, layout);
    }
    traffic.reductions = 1.0 + work.sums_per_step;
    return traffic;
}

}  // namespace mdsim
