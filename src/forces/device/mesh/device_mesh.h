// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "domain/local/local_atoms.h"
#include "forces/device/mesh/mesh_solver.h"
#include "forces/mesh/mesh_term.h"
#include "gpu/api/buffer.h"
#include "gpu/kernels/cluster_forces.h"
#include "pairs/clusters.h"
#include "system/box.h"
#include "system/energies.h"

namespace mdsim {

/// Where charges of all ranks become a potential.
enum class Solving { here, elsewhere };

/// What mesh::MeshTerm<float> computes, on a device: charges to the mesh, the solve in reciprocal space, forces from
/// the potential. Eight kernels and six transforms; nothing is allocated in a step (docs/gpu.md). Of several ranks one
/// solves; charges and potential travel between spread, solve and gather (MeshExchange).
class DeviceMesh {
  public:
    /// charges: of all atoms [e], until assign.
    DeviceMesh(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges,
               Solving solving = Solving::here);

    /// The local atoms have changed; set_clusters follows.
    void assign(const LocalSystem& system) { charges_ = system.parameters.charge; }
    /// New clusters: the charges of home atoms go up. Not in a step; nothing of this object may be in a stream.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream);

    struct Run {
        const ClusterPoints* points = nullptr;
        unsigned cluster_count = 0;  ///< of home atoms
        const Box& box;
        bool with_energy = false;                  ///< and virial
        kernels::ClusterForces* forces = nullptr;  ///< added to
        kernels::ForceFlags* flags = nullptr;      ///< [1]; out of range where this cannot be computed here
    };
    /// Puts everything into the stream: spread, solve and gather, of one rank alone.
    void launch(gpu::Stream& stream, const Run& run);
    /// Adds the charges of home atoms to charges().
    void spread(gpu::Stream& stream, const Run& run);
    /// Charges to potential; charges are zero afterwards. Where this rank solves.
    void solve(gpu::Stream& stream, const Run& run);
    /// Adds forces on home atoms, and has the sums of solve come down.
    void gather(gpu::Stream& stream, const Run& run);
    /// Adds the sums of the last solve with energy, after the stream has come by: Term::coulomb_recip and the virial.
    /// Nothing on a rank that does not solve.
    void report(EnergySums& energies) const;

    const mesh::MeshSettings& settings() const { return settings_; }
    bool solves() const { return solver_.has_value(); }
    /// [nx][ny][nz] [2^-24 e]; zero before spread.
    std::int32_t* charges() const { return grid_.data(); }
    /// [row_pairs(nx ny)][nz][2], as gather_forces takes it [kJ/mol/e].
    float* potential() const { return reinterpret_cast<float*>(potential_.data()); }
    /// Puts into the stream: both to zero.
    void clear(gpu::Stream& stream);

  private:
    mesh::MeshSettings settings_;
    std::vector<double> charges_;
    std::optional<MeshSolver> solver_;
    gpu::Buffer<float> slot_charges_;
    gpu::Buffer<std::int32_t> grid_;
    gpu::Buffer<std::complex<float>> potential_;
};

}  // namespace mdsim
