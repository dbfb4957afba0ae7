// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>

#include "forces/mesh/mesh_term.h"
#include "gpu/api/buffer.h"
#include "gpu/api/fft.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/mesh/complex.h"
#include "gpu/kernels/mesh/wave_multiplication.h"
#include "system/box.h"
#include "system/energies.h"

namespace mdsim {

/// From charges on a mesh to the potential there, on a device: the solve in reciprocal space. Six kernels and six
/// transforms; nothing is allocated in a step (docs/gpu.md).
class MeshSolver {
  public:
    MeshSolver(const gpu::Device& device, const mesh::MeshSettings& settings);

    /// Of the array for the potential [complex numbers].
    std::size_t extent() const { return spectrum_.size(); }

    struct Run {
        std::int32_t* grid = nullptr;              ///< [nx][ny][nz] [2^-24 e]; zero afterwards
        std::complex<float>* potential = nullptr;  ///< out, as gather_forces takes it; extent()
        const Box& box;
        bool with_energy = false;              ///< and virial
        kernels::ForceFlags* flags = nullptr;  ///< [1]; out of range where this cannot be computed here
    };
    /// Puts everything into the stream.
    void launch(gpu::Stream& stream, const Run& run);
    /// Puts into the stream: the sums of a launch with energy down.
    void download_sums(gpu::Stream& stream);
    /// Adds these, after the stream has come by: Term::coulomb_recip and the virial.
    void report(EnergySums& energies) const;

  private:
    mesh::MeshSettings settings_;
    unsigned nx_, ny_, nz_;
    unsigned rows_, half_;  // nx ny, and kz that are kept
    gpu::FftLines<float> along_x_, along_y_, along_z_;
    gpu::Buffer<std::complex<float>> spectrum_;  // and the potential are in turn input and output of transforms
    std::array<gpu::Buffer<float>, 3> unwindow_;
    gpu::Buffer<kernels::WaveTotals> totals_;
    gpu::PinnedBuffer<kernels::WaveTotals> downloaded_;

    void multiply(gpu::Stream& stream, const Run& run);
};

}  // namespace mdsim
