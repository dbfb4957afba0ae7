// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_exchange.h"

#include <exception>

#include "core/error.h"

namespace mdsim {

using kernels::NodeRange;

namespace {

constexpr int tag_of_charges = 411, tag_of_potential = 412;
constexpr gpu::Work charges_work{"charges between ranks", "the mesh"};
constexpr gpu::Work potential_work{"potential between ranks", "the mesh"};

NodeRange range_of(const mesh::NodeBox& box, const std::array<int, 3>& n) {
    NodeRange range{};
    for (std::size_t a = 0; a < 3; ++a) {
        range.first[a] = box.first[a];
        range.count[a] = box.count[a];
        range.mesh[a] = n[a];
    }
    return range;
}

// Messages begin where devices and networks move memory in one piece.
std::size_t aligned(std::size_t elements) {
    constexpr std::size_t line = 64;  // 256 bytes
    return (elements + line - 1) / line * line;
}

}  // namespace

MeshExchange::Out::Out(const gpu::Device& device, MeshExchange& exchange, Transport transport)
    : charges(device, exchange.charges_, charges_work, transport),
      potential(device, exchange.potentials_, potential_work, transport) {}

MeshExchange::In::In(const gpu::Device& device, MeshExchange& exchange, Transport transport, int rank)
    : rank(rank),
      charges(device, exchange.charges_, charges_work, transport),
      potential(device, exchange.potentials_, potential_work, transport) {}

MeshExchange::MeshExchange(const gpu::Device& device, const Comm& comm, int solver, DeviceMesh& mesh,
                           Transport transport)
    : comm_(&comm),
      solver_(solver),
      mesh_(&mesh),
      packing_(device, gpu::Priority::high),
      solved_(device),
      charges_(device, charges_work),
      potentials_(device, potential_work),
      out_(device, *this, transport) {
    MDSIM_EXPECT(mesh.solves() == (comm.rank() == solver));
    if (!mesh.solves()) return;
    for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank != solver) ins_.push_back(std::make_unique<In>(device, *this, transport, rank));
    }
}

MeshExchange::~MeshExchange() {
    if (std::uncaught_exceptions() > 0) return;  // a rank that has failed takes no message any more
    for (const auto& in : ins_) in->sending.wait();
}

void MeshExchange::plan(const Box& cell, gpu::Stream& stream) {
    const mesh::MeshSettings& settings = mesh_->settings();
    const mesh::NodeBox own = home_.reach(cell, settings.mesh, settings.window.order);
    const std::vector<mesh::NodeBox> boxes = mesh::boxes_of_all(own, *comm_);
    mesh_->solves() ? plan_ins(boxes) : plan_out(own);
    mesh_->clear(stream);
}

void MeshExchange::plan_out(const mesh::NodeBox& own) {
    out_.nodes = range_of(own, mesh_->settings().mesh);
    const std::size_t count = out_.nodes.nodes();
    charges_.resize(count);
    potentials_.resize(count);
    out_.charges.set_range(0, count);
    out_.potential.set_range(0, count);
}

void MeshExchange::plan_ins(const std::vector<mesh::NodeBox>& boxes) {
    std::size_t end = 0;
    for (const auto& in : ins_) {
        in->sending.wait();  // its memory may go
        in->nodes = range_of(boxes[static_cast<std::size_t>(in->rank)], mesh_->settings().mesh);
        in->begin = end;
        in->charges.set_range(end, in->nodes.nodes());
        in->potential.set_range(end, in->nodes.nodes());
        end += aligned(in->nodes.nodes());
    }
    charges_.resize(end);
    potentials_.resize(end);
}

// What runs at once: the device, which does what is in the streams; messages; and whatever the caller does. The arrays
// of messages that come belong to them from here until they have come, those of messages that go from the moment they
// are closed until the next evaluation.
void MeshExchange::begin(gpu::Stream& stream, const DeviceMesh::Run& run) {
    MDSIM_EXPECT(stage_ == Stage::done);
    stream_ = &stream;
    run_.emplace(run);
    mesh_->solves() ? begin_ins() : begin_out();
    progress();
}

void MeshExchange::begin_out() {
    if (out_.charges.empty()) return;
    out_.coming = out_.potential.begin_receive(*comm_, solver_, tag_of_potential);
    mesh_->spread(*stream_, *run_);
    kernels::pack_charges(*stream_, {mesh_->charges(), out_.nodes, charges_.data()});
    out_.charges.close(*stream_);
    stage_ = Stage::charges;
}

void MeshExchange::begin_ins() {
    for (const auto& in : ins_) {
        in->added = in->sent = in->charges.empty();
        if (in->added) continue;
        in->sending.wait();  // of the evaluation before, whose potential has come where it went
        in->coming = in->charges.begin_receive(*comm_, in->rank, tag_of_charges);
    }
    mesh_->spread(*stream_, *run_);
    stage_ = Stage::charges;
}

bool MeshExchange::progress() {
    const bool solves = mesh_->solves();
    if (stage_ == Stage::charges && (solves ? collect_charges() : send_charges())) stage_ = Stage::potential;
    if (stage_ == Stage::potential && (solves ? send_potential() : collect_potential())) stage_ = Stage::done;
    return stage_ == Stage::done;
}

bool MeshExchange::send_charges() {
    if (!out_.charges.closed()) return false;
    out_.sending = out_.charges.begin_send(*comm_, solver_, tag_of_charges, Traffic::mesh_halo);
    return true;
}

bool MeshExchange::collect_charges() {
    bool all = true;
    for (const auto& in : ins_) {
        if (in->added) continue;
        in->added = in->coming.test();
        all = all && in->added;
        if (!in->added) continue;
        in->charges.open(*stream_);
        kernels::add_charges(*stream_, {mesh_->charges(), in->nodes, charges_.data() + in->begin});
    }
    if (all) solve();
    return all;
}

void MeshExchange::solve() {
    mesh_->solve(*stream_, *run_);
    if (!ins_.empty()) pack_potentials();
    mesh_->gather(*stream_, *run_);
}

// Others wait for theirs, so it is packed, and brought to the host where it has to be, beside the forces on atoms here.
void MeshExchange::pack_potentials() {
    solved_.record(*stream_);
    packing_.wait(solved_);
    for (const auto& in : ins_) {
        if (in->sent) continue;
        kernels::pack_potential(packing_, {mesh_->potential(), in->nodes, potentials_.data() + in->begin});
        in->potential.close(packing_);
    }
}

bool MeshExchange::send_potential() {
    bool all = true;
    for (const auto& in : ins_) {
        if (in->sent) continue;
        in->sent = in->potential.closed();
        all = all && in->sent;
        if (!in->sent) continue;
        in->sending = in->potential.begin_send(*comm_, in->rank, tag_of_potential, Traffic::mesh_halo);
    }
    return all;
}

bool MeshExchange::collect_potential() {
    if (!out_.coming.test()) return false;
    out_.sending.wait();  // the charges have come, since this is the answer
    out_.potential.open(*stream_);
    kernels::place_potential(*stream_, {mesh_->potential(), out_.nodes, potentials_.data()});
    mesh_->gather(*stream_, *run_);
    return true;
}

}  // namespace mdsim
