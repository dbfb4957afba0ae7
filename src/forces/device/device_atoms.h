// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "forces/force_sink.h"
#include "gpu/api/buffer.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/halo_atoms.h"
#include "pairs/clusters.h"

namespace mdsim {

/// What the kernels of one evaluation read and add to, on the device in the order of clusters.
struct DeviceSums {
    const LatticePoint* atom_points = nullptr;  ///< in the order of atoms
    const ClusterPoints* points = nullptr;
    unsigned cluster_count = 0;  ///< of home atoms, which come first
    kernels::ClusterForces* forces = nullptr;
    kernels::ClusterForces* high = nullptr;  ///< second words of sums of pairs
    kernels::ForceFlags* flags = nullptr;    ///< [1]
};

/// The local atoms of a rank on its device: lattice coordinates of home atoms go up, sums of the forces on them come
/// down, 12 bytes an atom each. Only this class and the kernels that it launches know the order of atoms of the host.
///
/// One rank alone:        begin_upload, kernels that add to the sums, begin_download
/// Where ranks share:     begin_upload, kernels of home atoms; points of the halo, gather_halo, kernels with the halo;
///                        widen_halo, forces of other ranks; widen_home, begin_wide_download
class DeviceAtoms {
  public:
    explicit DeviceAtoms(const gpu::Device& device);

    /// Other atoms or another order, and room for them. Not in a step.
    void set_clusters(const Clusters& clusters, std::size_t home, gpu::Stream& stream);
    /// Room for forces of several ranks; after set_clusters.
    void make_room_for_ranks();
    /// Puts into the stream: points of home atoms to the device and into the order of clusters, sums to zero.
    void begin_upload(std::span<const LatticePoint> points, gpu::Stream& stream);
    /// Points of halo atoms, which are on the device, into the order of clusters.
    void gather_halo(gpu::Stream& stream);
    /// Adds the sums of the forces on halo atoms to those in the order of atoms. high_shift: of the second words.
    void widen_halo(int high_shift, gpu::Stream& stream);
    /// Adds those on home atoms, to what other ranks have computed for them.
    void widen_home(int high_shift, gpu::Stream& stream);
    void begin_wide_download(gpu::Stream& stream);
    /// Puts into the stream: forces into the order of atoms and down.
    void begin_download(int high_shift, gpu::Stream& stream);
    /// After the stream has come by: adds the forces, or nothing and false where any of them is out of range, or a
    /// kernel has said that they are of no use.
    bool add_forces(ForceSink& sink) const;
    /// What came down last, of each home atom [2^-12 kJ/mol/nm].
    std::span<const kernels::AtomForce> forces() const { return forces_down_.span(); }

    /// Of local atoms, in their order.
    gpu::Buffer<LatticePoint>& points() { return points_; }
    gpu::Buffer<kernels::WideForce>& wide_forces() { return wide_; }
    DeviceSums sums() const;

  private:
    std::size_t home_ = 0, local_ = 0, home_clusters_ = 0, clusters_ = 0;
    gpu::PinnedBuffer<LatticePoint> points_up_;
    gpu::PinnedBuffer<kernels::AtomForce> forces_down_;
    gpu::Buffer<LatticePoint> points_;
    gpu::Buffer<kernels::AtomForce> forces_;
    gpu::Buffer<kernels::WideForce> wide_;      // where ranks share the atoms
    gpu::Buffer<std::uint32_t> atoms_, slots_;  // of Clusters
    gpu::Buffer<ClusterPoints> cluster_points_;
    gpu::Buffer<kernels::ClusterForces> cluster_forces_, high_;
    gpu::Buffer<kernels::ForceFlags> flags_;
    gpu::PinnedBuffer<kernels::ForceFlags> flags_down_;  // where ranks share the atoms: some have none to show it

    void gather(std::size_t first, std::size_t last, gpu::Stream& stream);
    void widen(std::size_t first, std::size_t last, int high_shift, gpu::Stream& stream);
    /// Adds them `times` times; false where any is out of range.
    bool add(ForceSink& sink, std::int64_t times) const;
};

}  // namespace mdsim
