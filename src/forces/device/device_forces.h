// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "domain/domain.h"
#include "forces/device/device_atoms.h"
#include "forces/device/device_halo.h"
#include "forces/device/device_pairs.h"
#include "forces/device/mesh/device_mesh.h"
#include "forces/device/mesh/mesh_exchange.h"
#include "forces/force_term.h"
#include "gpu/api/device.h"
#include "gpu/api/timing/timeline.h"

namespace mdsim {

/// The ranks that compute with a device each.
struct DeviceRanks {
    Domain* domain;               ///< outlives the forces
    std::vector<int> mesh_ranks;  ///< those whose devices solve the mesh
    Transport transport;          ///< of messages between devices
};

/// What DeviceForces is made from.
struct DeviceSystem {
    const ShortRangeSystem& pairs;
    PairListSettings lists;
    std::optional<mesh::MeshSettings> mesh;  ///< where the electrostatics has one
    std::span<const double> charges;         ///< [e], of all atoms; none where they come by assign
    /// The same terms on the host, for evaluations that single precision is not good for: where atoms may overlap. And
    /// to check the device.
    std::vector<std::unique_ptr<HostTerm>> on_host;
    std::optional<DeviceRanks> ranks;  ///< none: one rank has all atoms
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
/// Where ranks share the atoms each does so with a device, and the devices tell each other what they need (DeviceHalo,
/// MeshExchange). The host passes messages on whenever `progress` is called:
///
///   mesh stream:  upload home points -+- spread ..... charges to tiles, solve, potential back ......... gather -+
///   pair stream:                      +- pairs of home atoms ---------+- pairs with the halo -+                 |
///   halo stream:                      +- points to and from others ---+                       +- forces back ---+-
///   download
///
/// Forces are those that one rank with a device of this kind computes, bit by bit.
///
/// The first evaluation is computed by the host as well, and the two have to agree (MD707): a device, a driver or a
/// compiler that computes wrongly is noticed before a step is made of it.
class DeviceForces final : public DeviceTerm {
  public:
    DeviceForces(const gpu::DeviceInfo& info, const gpu::HostSettings& settings, DeviceSystem system);
    ~DeviceForces() override;

    double reach(const Box& cell) const override { return pairs_.lists().reach(cell); }
    double farthest_move(const Box& cell) const override { return pairs_.lists().farthest_move(cell); }
    void assign(const LocalSystem& system) override;
    bool expired(const Evaluation& evaluation) override;
    void rebuild(const Evaluation& evaluation) override;
    bool reads_halo(const StepPlan& plan) const override;
    void launch(const Evaluation& evaluation) override;
    void progress() override;
    void collect(const Evaluation& evaluation, ForceSink& sink) override;

    gpu::Timeline& timeline() override { return *timeline_; }
    const gpu::Device& device() const { return device_; }

  private:
    /// What ranks share, and how far they are with it in this evaluation.
    struct Shared {
        Shared(const gpu::Device& device, const DeviceRanks& with)
            : ranks(with), halo(device, with.domain->halo(), with.transport), halo_there(device), pairs_done(device) {}

        DeviceRanks ranks;
        DeviceHalo halo;
        std::optional<MeshExchange> mesh;
        gpu::Event halo_there, pairs_done;
        bool points_came = false, forces_came = false, mesh_came = false;

        bool all_came() const { return points_came && forces_came && mesh_came; }
    };

    gpu::Device device_;
    gpu::Stream pair_stream_, mesh_stream_, halo_stream_;
    gpu::Event points_there_, mesh_done_, forces_there_;
    DeviceAtoms atoms_;
    DevicePairs pairs_;
    std::optional<DeviceMesh> mesh_;  // of one rank alone
    std::optional<Shared> shared_;
    std::optional<gpu::Timeline> timeline_;  // of all streams
    std::vector<std::unique_ptr<HostTerm>> on_host_;
    std::size_t home_ = 0;
    std::optional<Box> cell_;  // of this evaluation's lattice
    bool everything_ = false;  // it wants energies and virial
    bool checked_ = false;

    std::vector<gpu::Timeline::Row> streams();
    void make_mesh(const mesh::MeshSettings& settings, std::span<const double> charges);
    MeshRun mesh_run(const Evaluation& evaluation) const;
    void upload_and_launch_pairs(const Evaluation& evaluation);
    void launch_alone(const Evaluation& evaluation);
    void launch_shared(const Evaluation& evaluation);
    void compute_with_halo();
    void begin_shared_download();
    bool all_good(bool here) const;
    void report(Need energies, EnergySums& to) const;
    void check(const Evaluation& evaluation);
    void compute_on_host(const Evaluation& evaluation, ForceSink& sink);
};

}  // namespace mdsim
