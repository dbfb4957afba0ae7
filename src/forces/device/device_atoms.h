// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "forces/force_sink.h"
#include "gpu/api/buffer.h"
#include "gpu/kernels/cluster_forces.h"
#include "pairs/clusters.h"

namespace mdsim {

/// What the kernels of one evaluation read and add to, on the device in the order of clusters.
struct DeviceSums {
    const ClusterPoints* points = nullptr;
    unsigned cluster_count = 0;
    kernels::ClusterForces* forces = nullptr;
    kernels::ClusterForces* high = nullptr;  ///< second words of sums of pairs
    kernels::ForceFlags* flags = nullptr;    ///< [1]
};

/// The atoms of a device: lattice coordinates go up, sums of forces come down, 12 bytes an atom each. Only this class
/// and the kernels that it launches know the order of atoms of the host.
class DeviceAtoms {
  public:
    explicit DeviceAtoms(const gpu::Device& device);

    /// Another order, and room for it. Not in a step.
    void set_clusters(const Clusters& clusters, gpu::Stream& stream);
    /// Puts into the stream: points to the device and into the order of clusters, sums to zero.
    void begin_upload(std::span<const LatticePoint> points, gpu::Stream& stream);
    /// Puts into the stream: forces into the order of atoms and down. high_shift: of the second words.
    void begin_download(int high_shift, gpu::Stream& stream);
    /// After the stream has come by: adds the forces, or nothing and false where any of them is out of range.
    bool add_forces(ForceSink& sink) const;
    /// What came down last, of each atom [2^-12 kJ/mol/nm].
    std::span<const kernels::AtomForce> forces() const { return forces_down_.span(); }

    DeviceSums sums() const;

  private:
    std::size_t atom_count_ = 0, cluster_count_ = 0;
    gpu::PinnedBuffer<LatticePoint> points_up_;
    gpu::PinnedBuffer<kernels::AtomForce> forces_down_;
    gpu::Buffer<LatticePoint> points_;
    gpu::Buffer<kernels::AtomForce> forces_;
    gpu::Buffer<std::uint32_t> atoms_, slots_;  // of Clusters
    gpu::Buffer<ClusterPoints> cluster_points_;
    gpu::Buffer<kernels::ClusterForces> cluster_forces_, high_;
    gpu::Buffer<kernels::ForceFlags> flags_;

    /// Adds them `times` times; false where any is out of range.
    bool add(ForceSink& sink, std::int64_t times) const;
};

}  // namespace mdsim
