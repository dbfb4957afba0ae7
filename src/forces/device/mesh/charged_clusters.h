// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "domain/local/local_atoms.h"
#include "forces/mesh/mesh_block.h"
#include "forces/mesh/mesh_term.h"
#include "gpu/api/buffer.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/node_range.h"
#include "gpu/kernels/mesh/window/mesh_window.h"
#include "pairs/clusters.h"
#include "system/box.h"

namespace mdsim {

/// What an evaluation of the mesh on a device is given.
struct MeshRun {
    const ClusterPoints* points = nullptr;
    unsigned cluster_count = 0;  ///< of home atoms
    const Box& box;
    bool with_energy = false;                  ///< and virial
    kernels::ClusterForces* forces = nullptr;  ///< added to
    kernels::ForceFlags* flags = nullptr;      ///< [1]; out of range where this cannot be computed here
};

/// Nodes of the mesh on a device.
struct MeshNodes {
    kernels::NodeRange range{};
    std::int32_t* charges = nullptr;   ///< [range.extent()] [2^-24 e]
    const float* potential = nullptr;  ///< [range.extent()] [kJ/mol/e]
};

/// Where a mesh is shared by no more devices than have so many nodes each, the arrays of a device are in its reach: a
/// tile is at most a quarter larger than others.
inline constexpr double most_nodes_of_device = 1 << 30;

/// These nodes, as kernels count them; the array has to have less than 2^31 numbers.
kernels::NodeRange range_of(const mesh::NodeBox& box, const std::array<int, 3>& mesh);

/// A window, as kernels take it.
kernels::MeshWindow window_for_kernels(const mesh::Window& window);

/// The charges of the home atoms of a device, which spreads them over nodes and gathers forces from there.
class ChargedClusters {
  public:
    /// charges: of all atoms [e], until assign.
    ChargedClusters(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges);

    /// The local atoms have changed; set_clusters follows.
    void assign(const LocalSystem& system) { charges_ = system.parameters.charge; }
    /// New clusters: the charges of home atoms go up. Not in a step; nothing of this object may be in a stream.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream);

    /// Adds the charges of home atoms to those of the nodes.
    void spread(gpu::Stream& stream, const MeshRun& run, const MeshNodes& nodes) const;
    /// Adds forces on home atoms.
    void gather(gpu::Stream& stream, const MeshRun& run, const MeshNodes& nodes) const;

    const mesh::MeshSettings& settings() const { return settings_; }

  private:
    mesh::MeshSettings settings_;
    kernels::MeshWindow window_;
    std::vector<double> charges_;
    gpu::Buffer<float> slot_charges_;
};

}  // namespace mdsim
