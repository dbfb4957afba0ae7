// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_forces.h"

#include <thread>
#include <utility>

#include "forces/device/agreement.h"
#include "forces/short_range/pair_virial.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

bool for_host(const StepPlan& plan) {
    return plan.overlaps == Need::yes;
}
bool wants_sums(const StepPlan& plan) {
    return plan.energies == Need::yes || plan.virial == Need::yes;
}

}  // namespace

DeviceForces::DeviceForces(const gpu::DeviceInfo& info, const gpu::HostSettings& settings, DeviceSystem system)
    : device_(info, settings),
      pair_stream_(device_),
      mesh_stream_(device_, gpu::Priority::high),
      halo_stream_(device_, gpu::Priority::high),
      points_there_(device_),
      mesh_done_(device_),
      forces_there_(device_),
      atoms_(device_),
      pairs_(device_, system.pairs, system.lists,
             system.ranks ? DevicePairs::Watching::by_device : DevicePairs::Watching::by_host),
      on_host_(std::move(system.on_host)),
      home_(system.charges.size()) {
    if (system.ranks) shared_.emplace(device_, *system.ranks);
    if (system.mesh) make_mesh(*system.mesh, system.charges);
    timeline_.emplace(device_, streams());
}

std::vector<gpu::Timeline::Row> DeviceForces::streams() {
    std::vector<gpu::Timeline::Row> rows{{&pair_stream_, "short-range pairs"}, {&mesh_stream_, "mesh"}};
    if (!shared_) return rows;
    rows.push_back({&halo_stream_, "halo"});
    return rows;
}

void DeviceForces::make_mesh(const mesh::MeshSettings& settings, std::span<const double> charges) {
    if (!shared_) {
        mesh_.emplace(device_, settings, charges);
        return;
    }
    const DeviceRanks& ranks = shared_->ranks;
    shared_->mesh.emplace(device_, ranks.domain->comm(), settings, ranks.mesh_ranks, ranks.transport);
}

// After an error of the host the device may still work in the buffers.
DeviceForces::~DeviceForces() {
    for (const gpu::Timeline::Row& row : streams()) {
        try {
            row.stream->finish();
        } catch (const gpu::DeviceError&) {  // the error that ends the run has been thrown already
        }
    }
}

void DeviceForces::assign(const LocalSystem& system) {
    home_ = system.atoms.home;
    pairs_.assign(system);
    if (mesh_) mesh_->assign(system);
    if (shared_ && shared_->mesh) shared_->mesh->assign(system);
    if (shared_) return;
    for (const auto& term : on_host_) term->assign(system);
}

bool DeviceForces::expired(const Evaluation& evaluation) {
    return !for_host(evaluation.plan) && pairs_.expired(evaluation);
}

void DeviceForces::rebuild(const Evaluation& evaluation) {
    if (for_host(evaluation.plan) && !shared_) return;
    if (!pairs_.rebuild(evaluation, mesh_stream_)) return;
    atoms_.set_clusters(pairs_.clusters(), home_, mesh_stream_);
    if (mesh_) mesh_->set_clusters(pairs_.clusters(), mesh_stream_);
    if (!shared_) return;
    atoms_.make_room_for_ranks();
    shared_->halo.assign(atoms_, mesh_stream_);
    if (!shared_->mesh) return;
    shared_->mesh->set_clusters(pairs_.clusters(), mesh_stream_);
    shared_->mesh->plan(evaluation.lattice.cell(), mesh_stream_);
}

bool DeviceForces::reads_halo(const StepPlan& plan) const {
    return for_host(plan) || !checked_;
}

void DeviceForces::launch(const Evaluation& evaluation) {
    if (for_host(evaluation.plan)) return;
    cell_ = evaluation.lattice.cell();
    everything_ = wants_sums(evaluation.plan) || !checked_;
    timeline_->launch([&] { shared_ ? launch_shared(evaluation) : launch_alone(evaluation); });
}

// Before the mesh: one or two kernels that keep the device busy while the host puts some twenty short ones into the
// other stream, which go first wherever there is room.
void DeviceForces::upload_and_launch_pairs(const Evaluation& evaluation) {
    atoms_.begin_upload(evaluation.points.first(home_), mesh_stream_);
    points_there_.record(mesh_stream_);
    if (shared_) {
        halo_stream_.wait(points_there_);
        shared_->halo.begin_points(halo_stream_);
    }
    pair_stream_.wait(points_there_);
    pairs_.launch_home({*cell_, atoms_.sums(), everything_}, pair_stream_);
}

void DeviceForces::launch_alone(const Evaluation& evaluation) {
    upload_and_launch_pairs(evaluation);
    if (mesh_) mesh_->launch(mesh_stream_, mesh_run(evaluation));
    mesh_done_.record(mesh_stream_);
    pair_stream_.wait(mesh_done_);
    atoms_.begin_download(pairs_.high_shift(), pair_stream_);
    forces_there_.record(pair_stream_);
}

void DeviceForces::launch_shared(const Evaluation& evaluation) {
    shared_->points_came = shared_->forces_came = false;
    shared_->mesh_came = !shared_->mesh;
    upload_and_launch_pairs(evaluation);
    if (shared_->mesh) shared_->mesh->begin(mesh_stream_, mesh_run(evaluation));
}

MeshRun DeviceForces::mesh_run(const Evaluation& evaluation) const {
    const DeviceSums sums = atoms_.sums();
    return {sums.points, sums.cluster_count, evaluation.box, everything_, sums.forces, sums.flags};
}

void DeviceForces::progress() {
    if (!shared_ || !cell_ || shared_->all_came()) return;
    Shared& s = *shared_;
    if (!s.points_came && s.halo.progress_points(halo_stream_)) {
        s.points_came = true;
        compute_with_halo();
    }
    if (s.points_came && !s.forces_came) s.forces_came = s.halo.progress_forces(halo_stream_);
    if (!s.mesh_came) s.mesh_came = s.mesh->progress();
}

void DeviceForces::compute_with_halo() {
    Shared& s = *shared_;
    atoms_.gather_halo(halo_stream_);
    s.halo_there.record(halo_stream_);
    pair_stream_.wait(s.halo_there);
    pairs_.launch_halo({*cell_, atoms_.sums(), everything_}, pair_stream_);
    s.pairs_done.record(pair_stream_);
    halo_stream_.wait(s.pairs_done);
    atoms_.widen_halo(pairs_.high_shift(), halo_stream_);
    s.halo.begin_forces(halo_stream_);
}

void DeviceForces::begin_shared_download() {
    mesh_done_.record(mesh_stream_);
    halo_stream_.wait(mesh_done_);
    atoms_.widen_home(pairs_.high_shift(), halo_stream_);
    atoms_.begin_wide_download(halo_stream_);
    forces_there_.record(halo_stream_);
}

void DeviceForces::collect(const Evaluation& evaluation, ForceSink& sink) {
    if (for_host(evaluation.plan)) return compute_on_host(evaluation, sink);
    timeline_->wait([&] {
        // All of it in turn: another rank may wait for any part.
        for (progress(); shared_ && !shared_->all_came(); progress()) std::this_thread::yield();
        if (shared_) begin_shared_download();
        forces_there_.finish();
    });
    const bool good = atoms_.add_forces(sink);
    if (!good) sink.slot(0).energies().note_strong_pair();
    if (!checked_ && all_good(good)) check(evaluation);
    if (good && wants_sums(evaluation.plan)) report(evaluation.plan.energies, sink.slot(0).energies());
}

bool DeviceForces::all_good(bool here) const {
    if (!shared_) return here;
    std::int64_t bad = here ? 0 : 1;
    shared_->ranks.domain->comm().max(std::span(&bad, 1));
    return bad == 0;
}

void DeviceForces::report(Need energies, EnergySums& to) const {
    pairs_.report(energies, to);
    if (mesh_) mesh_->report(to);
    if (shared_ && shared_->mesh) shared_->mesh->report(to);
}

void DeviceForces::check(const Evaluation& evaluation) {
    EnergySums of_device;
    report(Need::yes, of_device);
    ForceSink of_host;
    of_host.resize(home_, evaluation.x.size(), thread_count());
    Evaluation everything = evaluation;
    everything.plan.energies = everything.plan.virial = Need::yes;
    compute_on_host(everything, of_host);
    of_host.finish();
    auto atoms = static_cast<std::int64_t>(home_);
    if (shared_) {
        Domain& domain = *shared_->ranks.domain;
        domain.return_forces(of_host.local_forces());
        domain.comm().sum(of_host.energies().parts());
        domain.comm().sum(of_device.parts());
        domain.comm().sum(std::span(&atoms, 1));
    }
    resolve_pair_virial(evaluation.lattice.cell(), of_host.energies());
    if (of_host.energies().out_of_range()) return;  // atoms on top of each other: the next evaluation will do
    const auto ids = shared_ ? shared_->ranks.domain->ids() : std::span<const std::int64_t>();
    const auto compare = [&] {
        require_agreement({atoms_.forces(), of_device, atoms, ids}, of_host, device_.info().name);
    };
    shared_ ? shared_->ranks.domain->failure().keep(compare) : compare();
    checked_ = true;
}

void DeviceForces::compute_on_host(const Evaluation& evaluation, ForceSink& sink) {
    for (const auto& term : on_host_) {
        const auto compute = [&] {
            term->compute_home(evaluation, sink);
            term->compute(evaluation, sink);
        };
        if (!shared_) {
            if (term->expired(evaluation)) term->rebuild(evaluation);
            compute();
            continue;
        }
        // Made for this evaluation alone: such are rare, and nobody counts how far atoms move after a search.
        Domain& domain = *shared_->ranks.domain;
        term->assign(domain.local());
        term->rebuild(evaluation);
        domain.failure().keep(compute);
    }
}

}  // namespace mdsim
