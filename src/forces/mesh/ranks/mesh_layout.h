// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/vec3.h"
#include "forces/mesh/ranks/mesh_route.h"

/// Who transforms which lines of a mesh that is spread over ranks, and how much is sent for it.
namespace mdsim::mesh {

/// Consecutive nodes of an axis, from 0 where they are all there are.
struct NodeReach {
    int first = 0, count = 0;
};
/// The nodes that windows of `order` touch along an axis of n mesh points, of atoms whose first nodes were first ...
/// last (not wrapped) and that may have moved by `moves` nodes since, up to a tenth more where the box has shrunk.
NodeReach node_reach(std::int64_t first, std::int64_t last, double moves, int order, int n);

/// Which ranks have atoms, and which transform lines.
struct MeshPlaces {
    std::array<int, 3> regions{1, 1, 1};  ///< along each axis; those of the first ranks, z changes fastest
    std::vector<int> mesh_ranks;          ///< ascending
};
/// The layout for ranks whose atoms reach the nodes `boxes` (one a rank). Each of the mesh ranks gets a tile, as far as
/// the mesh can be cut; how it is cut, and who gets which tile, follows from a simple estimate of work and messages.
/// Charges go by stages wherever all ranks with regions transform, there are several of them, and the mesh can be cut
/// at least as often along y and z as the regions are: then each tile is a part of the column of its rank's region.
/// A function of its arguments alone. node_bytes: 4 in mixed precision, 8 in double.
MeshLayout choose_layout(const std::array<int, 3>& mesh, const std::vector<NodeBox>& boxes, const MeshPlaces& places,
                         int node_bytes);

/// A mesh over ranks that are yet to be started.
struct MeshRanks {
    std::array<int, 3> mesh{};            ///< points
    int order = 4;                        ///< of the window
    int node_bytes = 4;                   ///< 4 in mixed precision, 8 in double
    std::array<int, 3> regions{1, 1, 1};  ///< of equal size, along each box vector
    int separate = 0;  ///< mesh ranks without atoms beside those; 0: the ranks of the regions transform
    int idle = 0;      ///< ranks without a region or a place for the mesh alone; where they can, they transform, too
    /// How far atoms lie outside of their region: what the radius of groups that are kept together makes [box vectors].
    Vec3d overhang{};
    /// What they move before they change regions [box vectors].
    Vec3d moves{};
};
/// The nodes that the atoms of each rank will reach: those of the regions first (z changes fastest), then the others,
/// which have none.
std::vector<NodeBox> expected_nodes(const MeshRanks& ranks);
MeshLayout expected_layout(const MeshRanks& ranks);
/// What each of these ranks will send in one evaluation. Where two ways to cut the mesh are about as good, the nodes
/// that atoms do reach may decide for the other one.
std::vector<MeshTraffic> predict_mesh_traffic(const MeshRanks& ranks);

}  // namespace mdsim::mesh
