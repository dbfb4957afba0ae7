// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "forces/device/device_atoms.h"
#include "forces/device/device_pairs.h"
#include "forces/device/mesh/device_mesh.h"
#include "forces/force_term.h"
#include "gpu/api/device.h"
#include "gpu/api/timing/timeline.h"

namespace mdsim {

/// What DeviceForces is made from.
struct DeviceSystem {
    const ShortRangeSystem& pairs;
    PairListSettings lists;
    std::optional<mesh::MeshSettings> mesh;  ///< where the electrostatics has one
    std::span<const double> charges;         ///< [e], of all atoms
    /// The same terms on the host, for evaluations that single precision is not good for: where atoms may overlap. And
    /// to check the device.
    std::vector<std::unique_ptr<HostTerm>> on_host;
};

/// Short-range pairs and the mesh on a device, in mixed precision.
///
/// Pairs and mesh have a stream each, the mesh's of high priority since it is many small kernels one behind the other:
///
///   mesh stream:  upload points, order of clusters -+- spread, solve, gather -+
///   pair stream:                                    +- (prune), pairs ---------+- order of atoms, download
///
/// Where a force does not fit 32 bits, a property of the positions alone, nothing is added and a strong pair is noted:
/// the evaluation is to be repeated with StepPlan::overlaps.
///
/// Both add to the same sums, as integers. The host waits once, for the download. A step without energies moves 12
/// bytes an atom up and 12 down; it allocates nothing, unless there are new clusters.
///
/// The first evaluation is computed by the host as well, and the two have to agree (MD707): a device, a driver or a
/// compiler that computes wrongly is noticed before a step is made of it.
class DeviceForces final : public DeviceTerm {
  public:
    DeviceForces(const gpu::DeviceInfo& info, const gpu::HostSettings& settings, DeviceSystem system);
    ~DeviceForces() override;

    bool expired(const Evaluation& evaluation) override;
    void rebuild(const Evaluation& evaluation) override;
    void launch(const Evaluation& evaluation) override;
    void collect(const Evaluation& evaluation, ForceSink& sink) override;

    gpu::Timeline& timeline() override { return timeline_; }
    const gpu::Device& device() const { return device_; }

  private:
    gpu::Device device_;
    gpu::Stream pair_stream_, mesh_stream_;
    gpu::Event points_there_, mesh_done_, forces_there_;
    gpu::Timeline timeline_;
    DeviceAtoms atoms_;
    DevicePairs pairs_;
    std::optional<DeviceMesh> mesh_;
    std::vector<std::unique_ptr<HostTerm>> on_host_;
    bool checked_ = false;

    void put_into_streams(const Evaluation& evaluation);
    void report(Need energies, EnergySums& to) const;
    void check(const Evaluation& evaluation);
    void compute_on_host(const Evaluation& evaluation, ForceSink& sink);
};

}  // namespace mdsim
