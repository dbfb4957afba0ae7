// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "forces/mesh/mesh_term.h"
#include "gpu/api/buffer.h"
#include "gpu/api/fft.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/complex.h"
#include "gpu/kernels/mesh/wave_multiplication.h"
#include "pairs/clusters.h"
#include "system/box.h"
#include "system/energies.h"

namespace mdsim {

/// What mesh::MeshTerm<float> computes, on a device: charges to the mesh, the solve in reciprocal space, forces from
/// the potential. Eight kernels and six transforms; nothing is allocated in a step (docs/gpu.md).
class DeviceMesh {
  public:
    /// charges: of all atoms [e].
    DeviceMesh(const gpu::Device& device, const mesh::MeshSettings& settings, std::span<const double> charges);

    /// New clusters: their charges go up. Not in a step; nothing of this object may be in a stream.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream);

    struct Run {
        const ClusterPoints* points = nullptr;
        unsigned cluster_count = 0;
        const Box& box;
        bool with_energy = false;                  ///< and virial
        kernels::ClusterForces* forces = nullptr;  ///< added to
        kernels::ForceFlags* flags = nullptr;      ///< [1]; out of range where this cannot be computed here
    };
    /// Puts everything into the stream.
    void launch(gpu::Stream& stream, const Run& run);
    /// Adds the sums of the last launch with energy, after the stream has come by: Term::coulomb_recip and the virial.
    void report(EnergySums& energies) const;

  private:
    mesh::MeshSettings settings_;
    std::vector<double> charges_;
    unsigned nx_, ny_, nz_;
    unsigned rows_, half_;  // nx ny, and kz that are kept
    gpu::FftLines<float> along_x_, along_y_, along_z_;
    gpu::Buffer<float> slot_charges_;
    gpu::Buffer<std::int32_t> grid_;                           // zero between launches
    std::array<gpu::Buffer<std::complex<float>>, 2> numbers_;  // in turn input and output of transforms
    std::array<gpu::Buffer<float>, 3> unwindow_;
    gpu::Buffer<kernels::WaveTotals> totals_;
    gpu::PinnedBuffer<kernels::WaveTotals> downloaded_;

    kernels::Complex* numbers(std::size_t which) const;
    void transform(gpu::Stream& stream, const gpu::FftLines<float>& fft, gpu::Direction direction, std::size_t lines);
    void spread(gpu::Stream& stream, const Run& run);
    void solve(gpu::Stream& stream, const Run& run);
    void multiply(gpu::Stream& stream, const Run& run);
    void gather(gpu::Stream& stream, const Run& run);
};

}  // namespace mdsim
