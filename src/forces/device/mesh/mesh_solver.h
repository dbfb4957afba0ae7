// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "forces/device/mesh/charged_clusters.h"
#include "forces/mesh/mesh_term.h"
#include "forces/mesh/transform/pencils.h"
#include "gpu/api/buffer.h"
#include "gpu/api/fft.h"
#include "gpu/kernels/mesh/complex.h"
#include "gpu/kernels/mesh/wave_multiplication.h"
#include "system/energies.h"

namespace mdsim {

/// A mesh, or nodes of it, with its axes in the order in which devices transform them: z first, whose spectrum is the
/// half one, then y, then x, whose lines go in pairs. mesh::Pencils cuts them as it cuts those of the CPU, which
/// transforms x, y, z. Its own inverse.
inline std::array<int, 3> along_lines(const std::array<int, 3>& n) {
    return {n[2], n[1], n[0]};
}
inline mesh::NodeBox along_lines(const mesh::NodeBox& box) {
    return {along_lines(box.first), along_lines(box.count)};
}

/// From charges on a mesh to the potential there, on a device: the solve in reciprocal space, of all lines or of those
/// of a tile. Six kernels and six transforms; nothing is allocated in a step (docs/gpu.md).
///
/// The calls of an evaluation, in their order, each of which puts its work into the stream:
///
///   forward_z     the charges of the nodes, which are zero afterwards, to the spectrum along z
///   forward_y, along_x, backward_y
///   backward_z    to the potential of the nodes
///
/// Between two of them numbers() has what the first one made, and a tile that needs more of it for the second one puts
/// that into others(), and calls turned().
class MeshSolver {
  public:
    /// pencils: of a mesh that is along_lines; parts of its axes begin at 0.
    MeshSolver(const gpu::Device& device, const mesh::MeshSettings& settings, const mesh::Pencils& pencils, int tile);

    /// Those of the tile; charges are zero before the first evaluation.
    MeshNodes nodes() const { return {range_, grid_.data(), reinterpret_cast<const float*>(arrays_[0].data())}; }

    void forward_z(gpu::Stream& stream, kernels::ForceFlags* flags);
    void forward_y(gpu::Stream& stream);
    void along_x(gpu::Stream& stream, const MeshRun& run);
    void backward_y(gpu::Stream& stream);
    void backward_z(gpu::Stream& stream);

    kernels::Complex* numbers() const { return array(now_); }
    kernels::Complex* others() const { return array(1 - now_); }
    void turned() { now_ = 1 - now_; }

    /// Puts into the stream: the sums of an evaluation with energy down.
    void download_sums(gpu::Stream& stream);
    /// Adds these, after the stream has come by: Term::coulomb_recip and the virial, of the wave vectors of the tile.
    void report(EnergySums& energies) const;

  private:
    mesh::MeshSettings settings_;
    kernels::WaveSplit split_;
    mesh::Stretch x_, y_;    // of nodes
    mesh::Stretch kz_, ky_;  // of lines along y and x, and of those along x
    kernels::NodeRange range_;
    gpu::FftLines<float> along_x_, along_y_, along_z_;
    gpu::Buffer<std::int32_t> grid_;
    // In turn input and output of kernels and transforms, beginning with the first, which has the potential at last.
    std::array<gpu::Buffer<std::complex<float>>, 2> arrays_;
    std::size_t now_ = 0;
    std::array<gpu::Buffer<float>, 3> unwindow_;
    gpu::Buffer<kernels::WaveTotals> totals_;
    gpu::PinnedBuffer<kernels::WaveTotals> downloaded_;

    std::size_t lines_along_z() const;
    std::size_t lines_along_y() const;
    std::size_t lines_along_x() const;
    kernels::Complex* array(std::size_t i) const;  // as kernels know std::complex
    void prepare(const gpu::Device& device);
    void transform(gpu::Stream& stream, const gpu::FftLines<float>& fft, gpu::Direction direction, std::size_t lines);
    void multiply(gpu::Stream& stream, const MeshRun& run);
};

}  // namespace mdsim
