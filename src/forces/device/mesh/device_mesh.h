// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "forces/device/mesh/charged_clusters.h"
#include "forces/device/mesh/mesh_solver.h"

namespace mdsim {

/// What mesh::MeshTerm<float> computes, on a device that has all atoms: charges to the mesh, the solve in reciprocal
/// space, forces from the potential. Eight kernels and six transforms; nothing is allocated in a step (docs/gpu.md).
class DeviceMesh {
  public:
    /// charges: of all atoms [e], until assign.
    DeviceMesh(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges)
        : atoms_(device, settings, charges), solver_(device, settings, {.n = along_lines(settings.mesh)}, 0) {}

    /// The local atoms have changed; set_clusters follows.
    void assign(const LocalSystem& system) { atoms_.assign(system); }
    /// New clusters: the charges of home atoms go up. Not in a step; nothing of this object may be in a stream.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream) { atoms_.set_clusters(clusters, stream); }

    /// Puts everything into the stream: spread, solve and gather.
    void launch(gpu::Stream& stream, const MeshRun& run);
    /// Adds the sums of the last launch with energy, after the stream has come by: Term::coulomb_recip and the virial.
    void report(EnergySums& energies) const { solver_.report(energies); }

  private:
    ChargedClusters atoms_;
    MeshSolver solver_;
};

}  // namespace mdsim
