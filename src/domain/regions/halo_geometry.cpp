// SPDX-License-Identifier: Apache-2.0
#include "domain/regions/halo_geometry.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/units.h"

namespace mdsim {

namespace {

std::vector<double> uniform_bounds(int regions) {
    std::vector<double> bounds;
    for (int n = 0; n <= regions; ++n) bounds.push_back(static_cast<double>(n) / regions);
    return bounds;
}

// Regions that lie in (bounds[region + 1], bounds[region + 1] + depth), counted on across the end of the box. What
// touches by less than rounding does not count.
int regions_above(std::span<const double> bounds, std::size_t region, double depth) {
    const std::size_t regions = bounds.size() - 1;
    double left = depth - 1e-12;
    int touched = 0;
    for (std::size_t next = region + 1; left > 0.0; ++next, ++touched) {
        const std::size_t n = next % regions;
        left -= bounds[n + 1] - bounds[n];
    }
    return touched;
}

}  // namespace

std::vector<RankGrid> grids_of(int regions) {
    MDSIM_EXPECT(regions > 0);
    std::vector<RankGrid> grids;
    for (int x = 1; x <= regions; ++x) {
        if (regions % x != 0) continue;
        for (int y = 1; y <= regions / x; ++y) {
            if (regions / x % y == 0) grids.push_back({x, y, regions / x / y});
        }
    }
    return grids;
}

double halo_depth(double height, double width, double reach) {
    return width < 1.0 ? std::min(reach / height, 1.0 - width) : 0.0;
}

double halo_volume(const Box& cell, const std::array<double, 3>& widths, double reach) {
    const Vec3d heights = cell.heights();
    // Shares of the box: of the region, of the layers above its faces, of their edges and of the corner.
    std::array<double, 3> depth{};
    for (int a = 0; a < 3; ++a)
        depth[static_cast<std::size_t>(a)] = halo_depth(heights[a], widths[static_cast<std::size_t>(a)], reach);
    const auto [x, y, z] = widths;
    const auto [dx, dy, dz] = depth;
    const double faces = dx * y * z + x * dy * z + x * y * dz;
    const double edges = dx * dy * z + dx * y * dz + x * dy * dz;
    const double corner = dx * dy * dz;
    const bool rounded = cell.rectangular() && std::isfinite(reach);
    return cell.volume() *
           (faces + (rounded ? units::pi / 4.0 : 1.0) * edges + (rounded ? units::pi / 6.0 : 1.0) * corner);
}

double halo_volume(const Box& cell, const RankGrid& grid, double reach) {
    return halo_volume(cell, std::array{1.0 / grid[0], 1.0 / grid[1], 1.0 / grid[2]}, reach);
}

int halo_pulses(std::span<const double> bounds, double height, double reach) {
    const std::size_t regions = bounds.size() - 1;
    int pulses = 0;
    for (std::size_t n = 0; n < regions; ++n)
        pulses = std::max(pulses, regions_above(bounds, n, halo_depth(height, bounds[n + 1] - bounds[n], reach)));
    return pulses;
}

std::array<int, 3> halo_pulses(const Box& cell, const RankGrid& grid, double reach) {
    const Vec3d heights = cell.heights();
    std::array<int, 3> pulses{};
    for (int a = 0; a < 3; ++a) {
        pulses[static_cast<std::size_t>(a)] =
            halo_pulses(uniform_bounds(grid[static_cast<std::size_t>(a)]), heights[a], reach);
    }
    return pulses;
}

double mesh_nodes_elsewhere(const GridWork& work, const RankGrid& grid) {
    return work.mesh / regions_of(grid) * (1.0 - 1.0 / grid[0]);
}

double grid_cost(const GridWork& work, const RankGrid& grid, const StepCosts& costs) {
    const std::array<int, 3> pulses = halo_pulses(work.cell, grid, work.reach);
    const double home = work.density * work.cell.volume() / regions_of(grid);
    const double halo = work.density * halo_volume(work.cell, grid, work.reach);
    return costs.home_atom * home + costs.halo_atom * halo + costs.mesh_node * mesh_nodes_elsewhere(work, grid) +
           costs.message * 2 * (pulses[0] + pulses[1] + pulses[2]);
}

}  // namespace mdsim
