// SPDX-License-Identifier: Apache-2.0
#include "domain/regions/planes.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr std::int64_t whole = std::int64_t{1} << 32;

bool fits(const Box& cell, const RankGrid& grid) {
    const Vec3d heights = cell.heights();
    for (int a = 0; a < 3; ++a) {
        const int n = grid[static_cast<std::size_t>(a)];
        if (n > 1 && heights[a] < n * thinnest_region) return false;
    }
    return true;
}

// Keeps every plane at least `thinnest` from its neighbours.
void keep_apart(std::vector<std::int64_t>& planes, std::int64_t thinnest) {
    const auto parts = static_cast<std::int64_t>(planes.size()) - 1;
    thinnest = std::min(thinnest, whole / parts);
    for (std::int64_t p = 1; p < parts; ++p) {
        const auto k = static_cast<std::size_t>(p);
        planes[k] = std::clamp(planes[k], planes[k - 1] + thinnest, whole - (parts - p) * thinnest);
    }
}

}  // namespace

// From the most regions downwards, as long as home atoms alone do not cost more than the best grid so far. Among equals
// the last one of grids_of, which is cut along x before y and y before z: clusters are numbered along z first, so what
// lies at a face across x or y has numbers of its own, where each column of clusters ends at a face across z.
GridChoice choose_rank_grid(const GridWork& work, int ranks) {
    const double atoms = work.density * work.cell.volume();
    GridChoice best;
    double least = std::numeric_limits<double>::infinity();
    for (int regions = ranks; regions > 0; --regions) {
        if (usual_step_costs.home_atom * atoms / regions >= least) break;
        for (const RankGrid& grid : grids_of(regions)) {
            if (!fits(work.cell, grid)) continue;
            best.most_possible = std::max(best.most_possible, regions);
            const double cost = grid_cost(work, grid, usual_step_costs);
            const bool as_good = regions == best.regions() && cost <= least * (1.0 + 1e-9);
            if (!as_good && cost >= least) continue;
            best.grid = grid;
            least = std::min(least, cost);
        }
    }
    return best;
}

std::vector<std::int64_t> even_planes(std::span<const double> weights, int parts, std::int64_t thinnest) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const double bin = static_cast<double>(whole) / static_cast<double>(weights.size());
    std::vector<std::int64_t> planes{0};
    double below = 0.0;  // weight of all bins before k
    std::size_t k = 0;
    for (int part = 1; part < parts; ++part) {
        const double target = total * part / parts;
        while (k + 1 < weights.size() && below + weights[k] < target) below += weights[k++];
        const double share = weights[k] > 0.0 ? std::clamp((target - below) / weights[k], 0.0, 1.0) : 0.5;
        planes.push_back(static_cast<std::int64_t>((static_cast<double>(k) + share) * bin));
    }
    planes.push_back(whole);
    keep_apart(planes, thinnest);
    return planes;
}

std::vector<std::int64_t> moved_planes(std::span<const std::int64_t> planes, std::span<const double> work,
                                       std::int64_t thinnest) {
    MDSIM_EXPECT(planes.size() == work.size() + 1);
    std::vector<std::int64_t> moved(planes.begin(), planes.end());
    const double total = std::accumulate(work.begin(), work.end(), 0.0);
    if (!(total > 0.0)) return moved;
    double below = 0.0;
    std::size_t slab = 0;
    for (std::size_t p = 1; p + 1 < planes.size(); ++p) {
        const double target = total * static_cast<double>(p) / static_cast<double>(work.size());
        while (slab + 1 < work.size() && below + work[slab] < target) below += work[slab++];
        const double share = work[slab] > 0.0 ? std::clamp((target - below) / work[slab], 0.0, 1.0) : 0.5;
        const double wanted =
            static_cast<double>(planes[slab]) + share * static_cast<double>(planes[slab + 1] - planes[slab]);
        moved[p] = (planes[p] + static_cast<std::int64_t>(wanted)) / 2;
    }
    keep_apart(moved, thinnest);
    return moved;
}

std::vector<double> shaken(std::size_t slabs, std::int64_t time) {
    std::vector<double> work(slabs);
    for (std::size_t k = 0; k < slabs; ++k) {
        work[k] = 1.0 + static_cast<double>((3 * k + 2 * static_cast<std::size_t>(time)) % 5);
    }
    return work;
}

}  // namespace mdsim
