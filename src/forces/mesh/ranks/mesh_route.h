// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "forces/mesh/mesh_block.h"
#include "forces/mesh/transform/pencils.h"
#include "parallel/comm.h"

/// On which way charges come from the atoms of all ranks to those that transform lines, and potentials back.
namespace mdsim::mesh {

/// How charges go to the lines.
enum class MeshWay {
    direct,  ///< from each rank with atoms to each tile that shares nodes with it
    staged   ///< along z, then y, then x of the grid of regions; what meets on the way is added and goes on together
};

struct MeshLayout {
    Pencils pencils;
    std::vector<int> rank_of_tile;
    MeshWay way = MeshWay::direct;
    std::array<int, 3> regions{1, 1, 1};  ///< along each axis, of the first ranks; z changes fastest
};

/// The nodes of a tile: all of x, its part of y and z.
NodeBox tile_nodes(const Pencils& pencils, int tile);

/// A part of the way. What rank r had in the box from[r] goes to those ranks of its row in whose box `to` it lies.
struct MeshStep {
    std::vector<NodeBox> from, to;       ///< extent: ranks
    std::vector<std::vector<int>> rows;  ///< ranks that exchange nodes; each rank is in one at most
    Traffic traffic = Traffic::mesh_halo;
};

/// The steps from the nodes `boxes` that the atoms of each rank reach to the tiles; the last one's `to` are these.
std::vector<MeshStep> make_route(const MeshLayout& layout, const std::vector<NodeBox>& boxes);

/// What one rank sends in one evaluation.
struct MeshTraffic {
    TrafficCounts::Count halo;       ///< Traffic::mesh_halo
    TrafficCounts::Count transpose;  ///< Traffic::mesh_transpose
};
/// What each rank sends; extent: as boxes. node_bytes: 4 in mixed precision, 8 in double.
std::vector<MeshTraffic> mesh_traffic(const MeshLayout& layout, const std::vector<NodeBox>& boxes, int node_bytes);

}  // namespace mdsim::mesh
