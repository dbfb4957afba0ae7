// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "system/box.h"

namespace mdsim {

/// Regions along the three axes of the box; 1: the axis is not split.
using RankGrid = std::array<int, 3>;

constexpr int regions_of(const RankGrid& grid) {
    return grid[0] * grid[1] * grid[2];
}

/// Every grid of exactly so many regions, in a fixed order.
std::vector<RankGrid> grids_of(int regions);

/// How far a region's halo extends along an axis that is split, as a share of the box: all points nearer than `reach`
/// [nm] to the region's upper face, but never so many that the region would meet itself. width: of the region, 0 to 1.
double halo_depth(double height, double width, double reach);

/// Volume of the eighth-shell halo of one region [nm^3]: of all points that lie above the region along at least one
/// split axis, not below it along any, and nearer than `reach` to it. The reach is the radius of the list plus how far
/// an atom may be outside of the region that it belongs to (the largest radius of a constraint group, and what it has
/// moved since it was given to a rank).
///
/// In rectangular boxes edges are quarters of cylinders and the corner is an eighth of a sphere: for a region of
/// a x b x c split along all axes
///     V = R (ab + bc + ca) + pi/4 R^2 (a + b + c) + pi/6 R^3
/// (K. J. Bowers, R. O. Dror, D. E. Shaw, J. Chem. Phys. 124, 184109 (2006), section III; the eighth shell). In
/// triclinic boxes it is the parallelepiped that extends each face by the reach, corners not rounded. widths: of the
/// region along each axis, as shares of the box; 1 along an axis that is not split.
double halo_volume(const Box& cell, const std::array<double, 3>& widths, double reach);
/// That of each region of a uniform grid.
double halo_volume(const Box& cell, const RankGrid& grid, double reach);

/// Neighbours along one axis that a region gets halo atoms from, one message (pulse) from each: the largest number of
/// regions that the halo of any region touches. bounds: ascending, from 0 to 1, as shares of the box; extent: regions
/// along this axis + 1. height: of the box along this axis [nm].
int halo_pulses(std::span<const double> bounds, double height, double reach);
/// Along all axes of a uniform grid.
std::array<int, 3> halo_pulses(const Box& cell, const RankGrid& grid, double reach);

/// What a grid of regions shares out.
struct GridWork {
    Box cell;              ///< the box; in vacuum one round the atoms
    double reach = 0.0;    ///< of the halo [nm]
    double density = 0.0;  ///< of atoms [1/nm^3]
    double mesh = 0.0;     ///< nodes of the mesh that is transformed by the ranks of the regions; 0: none is
};

/// What a step costs a rank, by what it has [s].
struct StepCosts {
    double home_atom = 0.0;  ///< all that is computed for an atom, and its pairs
    double halo_atom = 0.0;  ///< position and force there and back, and its share of lists and pairs
    double message = 0.0;    ///< latency of a message
    double mesh_node = 0.0;  ///< a charge and a potential, to the rank that transforms the node and back
};
/// Of one core of a server processor of 2024 in one machine (liquid water, cutoff 0.9 nm): 0.4 us an atom, mesh and
/// update included; 0.2 us a halo atom; 2 us a message; 2 ns a node. They decide between grids only (choose_rank_grid);
/// `mdsim plan` measures.
inline constexpr StepCosts usual_step_costs{0.4e-6, 0.2e-6, 2e-6, 2e-9};

/// Nodes of the mesh that a rank of a uniform grid sends to others: those of its region that lie in tiles of others. A
/// tile is whole along x (docs/theory/mesh_over_ranks.md), so regions that are whole along x, too, can have most of
/// what they need at home; of regions cut along x each has a tile's nodes in one of so many parts only.
double mesh_nodes_elsewhere(const GridWork& work, const RankGrid& grid);

/// Expected time of a step of one region of a uniform grid [s]: home atoms, halo atoms, nodes of the mesh, and a
/// message for each pulse with positions and one with forces.
double grid_cost(const GridWork& work, const RankGrid& grid, const StepCosts& costs);

}  // namespace mdsim
