// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "domain/regions/halo_geometry.h"

namespace mdsim {

/// No region is made thinner: it would hold hardly an atom [nm].
inline constexpr double thinnest_region = 0.25;

struct GridChoice {
    RankGrid grid{1, 1, 1};
    int most_possible = 1;  ///< regions, up to the number of ranks, that are not thinner than thinnest_region

    int regions() const { return regions_of(grid); }
};
/// Of all grids of at most `ranks` regions that of the least cost (grid_cost); among equals one of the most regions,
/// cut along x or y rather than z.
GridChoice choose_rank_grid(const GridWork& work, int ranks);

/// Planes between 0 and 2^32, `parts` + 1 of them, that cut a histogram of equal bins into parts of equal weight.
/// thinnest: least distance of two [lattice units].
std::vector<std::int64_t> even_planes(std::span<const double> weights, int parts, std::int64_t thinnest);

/// Planes moved half of the way to where the slabs between them would have equal work, were the work spread evenly
/// within each slab of now. Extent of work: one less than planes.
std::vector<std::int64_t> moved_planes(std::span<const std::int64_t> planes, std::span<const double> work,
                                       std::int64_t thinnest);

/// Made-up work that moves all planes, to and fro with `time` (a test of moving regions).
std::vector<double> shaken(std::size_t slabs, std::int64_t time);

}  // namespace mdsim
