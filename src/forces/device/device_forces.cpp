// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_forces.h"

#include <utility>

#include "forces/device/agreement.h"
#include "forces/short_range/pair_virial.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

bool for_host(const Evaluation& evaluation) {
    return evaluation.plan.overlaps == Need::yes;
}
bool wants_sums(const StepPlan& plan) {
    return plan.energies == Need::yes || plan.virial == Need::yes;
}

}  // namespace

DeviceForces::DeviceForces(const gpu::DeviceInfo& info, const gpu::HostSettings& settings, DeviceSystem system)
    : device_(info, settings),
      pair_stream_(device_),
      mesh_stream_(device_, gpu::Priority::high),
      points_there_(device_),
      mesh_done_(device_),
      forces_there_(device_),
      timeline_(device_, {{&pair_stream_, "short-range pairs"}, {&mesh_stream_, "mesh"}}),
      atoms_(device_),
      pairs_(device_, system.pairs, system.lists),
      on_host_(std::move(system.on_host)) {
    if (system.mesh) mesh_.emplace(device_, *system.mesh, system.charges);
}

// After an error of the host the device may still work in the buffers.
DeviceForces::~DeviceForces() {
    for (gpu::Stream* stream : {&mesh_stream_, &pair_stream_}) {
        try {
            stream->finish();
        } catch (const gpu::DeviceError&) {  // the error that ends the run has been thrown already
        }
    }
}

bool DeviceForces::expired(const Evaluation& evaluation) {
    return !for_host(evaluation) && pairs_.expired(evaluation);
}

void DeviceForces::rebuild(const Evaluation& evaluation) {
    if (for_host(evaluation)) return;
    if (!pairs_.rebuild(evaluation, mesh_stream_)) return;
    atoms_.set_clusters(pairs_.clusters(), mesh_stream_);
    if (mesh_) mesh_->set_clusters(pairs_.clusters(), mesh_stream_);
}

void DeviceForces::launch(const Evaluation& evaluation) {
    if (for_host(evaluation)) return;
    timeline_.launch([&] { put_into_streams(evaluation); });
}

void DeviceForces::put_into_streams(const Evaluation& evaluation) {
    const bool everything = wants_sums(evaluation.plan) || !checked_;
    atoms_.begin_upload(evaluation.points, mesh_stream_);
    points_there_.record(mesh_stream_);
    const DeviceSums sums = atoms_.sums();
    // Before the mesh: one or two kernels that keep the device busy while the host puts some twenty short ones into
    // the other stream, which go first wherever there is room.
    pair_stream_.wait(points_there_);
    pairs_.launch(evaluation, sums, everything, pair_stream_);
    if (mesh_) {
        mesh_->launch(mesh_stream_,
                      {sums.points, sums.cluster_count, evaluation.box, everything, sums.forces, sums.flags});
    }
    mesh_done_.record(mesh_stream_);
    pair_stream_.wait(mesh_done_);
    atoms_.begin_download(pairs_.high_shift(), pair_stream_);
    forces_there_.record(pair_stream_);
}

void DeviceForces::collect(const Evaluation& evaluation, ForceSink& sink) {
    if (for_host(evaluation)) return compute_on_host(evaluation, sink);
    timeline_.wait([&] { forces_there_.finish(); });
    if (!atoms_.add_forces(sink)) return sink.slot(0).energies().note_strong_pair();
    if (!checked_) check(evaluation);
    if (wants_sums(evaluation.plan)) report(evaluation.plan.energies, sink.slot(0).energies());
}

void DeviceForces::report(Need energies, EnergySums& to) const {
    pairs_.report(energies, to);
    if (mesh_) mesh_->report(to);
}

void DeviceForces::check(const Evaluation& evaluation) {
    EnergySums of_device;
    report(Need::yes, of_device);
    ForceSink of_host;
    of_host.resize(evaluation.x.size(), thread_count());
    Evaluation everything = evaluation;
    everything.plan.energies = everything.plan.virial = Need::yes;
    compute_on_host(everything, of_host);
    of_host.finish();
    resolve_pair_virial(evaluation.lattice.cell(), of_host.energies());
    if (of_host.energies().out_of_range()) return;  // atoms on top of each other: the next evaluation will do
    require_agreement({atoms_.forces(), of_device}, of_host, device_.info().name);
    checked_ = true;
}

void DeviceForces::compute_on_host(const Evaluation& evaluation, ForceSink& sink) {
    for (const auto& term : on_host_) {
        if (term->expired(evaluation)) term->rebuild(evaluation);
        term->compute_home(evaluation, sink);
        term->compute(evaluation, sink);
    }
}

}  // namespace mdsim
