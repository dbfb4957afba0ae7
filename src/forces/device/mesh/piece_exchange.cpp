// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/piece_exchange.h"

#include <algorithm>
#include <exception>

#include "core/error.h"

namespace mdsim {

namespace {

// Messages begin where devices and networks move memory in one piece.
std::size_t aligned(std::size_t bytes) {
    constexpr std::size_t line = 256;
    return (bytes + line - 1) / line * line;
}

}  // namespace

void RowTable::add(std::size_t near, std::size_t far, std::size_t count) {
    constexpr std::size_t most = 256;
    MDSIM_EXPECT(std::max(near, far) + count <= std::size_t{UINT32_MAX});
    numbers_ += count;
    for (std::size_t first = 0; first < count; first += most) {
        rows_.push_back({static_cast<std::uint32_t>(near + first), static_cast<std::uint32_t>(far + first),
                         static_cast<std::uint32_t>(std::min(most, count - first))});
    }
}

void RowTable::append(const RowTable& rows, std::size_t at) {
    for (const kernels::RowPair& row : rows.rows_) add(row.near, at + row.far, row.count);
}

PieceExchange::PieceExchange(const gpu::Device& device, const Comm& comm, const Kind& kind, Transport transport)
    : device_(device),
      comm_(&comm),
      kind_(kind),
      transport_(transport),
      near_(device, kind.work),
      far_(device, kind.work),
      own_(device, kind.work) {}

PieceExchange::~PieceExchange() {
    if (std::uncaught_exceptions() > 0) return;  // a rank that has failed takes no message any more
    for (Side* side : {&near_, &far_}) {
        for (const auto& port : side->ports) port->sending.wait();
    }
}

void PieceExchange::plan(const SharedPieces& pieces, gpu::Stream& stream) {
    plan_side(near_, pieces.near, stream);
    plan_side(far_, pieces.far, stream);
    own_.fill(stream, pieces.own.rows());
}

void PieceExchange::plan_side(Side& side, const std::vector<SharedPieces::Piece>& pieces, gpu::Stream& stream) {
    for (const auto& port : side.ports) port->sending.wait();  // its memory may go
    RowTable rows;
    std::size_t end = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i == side.ports.size()) {
            side.ports.push_back(std::make_unique<Port>(device_, side.array, kind_.work, transport_));
        }
        Port& port = *side.ports[i];
        const std::size_t bytes = pieces[i].rows.numbers() * kind_.bytes;
        port.rank = pieces[i].rank;
        port.out.set_range(end, bytes);
        port.in.set_range(end, bytes);
        rows.append(pieces[i].rows, end / kind_.bytes);
        end += aligned(bytes);
    }
    side.used = pieces.size();
    side.array.resize(end);
    side.rows.fill(stream, rows.rows());
}

// What runs at once: the device, which does what is in its streams; messages; and whatever the caller does. What is
// sent belongs to its message from here until that has gone; what comes, from begin_receives until it has come. The
// memory of messages that go one way is that of those that come the other way.
void PieceExchange::begin(gpu::Stream& stream, Way way) {
    way_ = way;
    receiving_ = false;
    for (std::size_t i = 0; i < out().used; ++i) {
        out().ports[i]->out.close(stream);
        out().ports[i]->sent = false;
    }
    for (std::size_t i = 0; i < in().used; ++i) in().ports[i]->came = false;
}

bool PieceExchange::progress(gpu::Stream& stream) {
    const bool sent = send();
    receiving_ = receiving_ || begin_receives();
    return receiving_ && receive(stream) && sent;
}

bool PieceExchange::send() {
    bool all = true;
    for (std::size_t i = 0; i < out().used; ++i) {
        Port& port = *out().ports[i];
        if (port.sent) continue;
        port.sent = port.out.closed();
        all = all && port.sent;
        if (port.sent) port.sending = port.out.begin_send(*comm_, port.rank, tag(), kind_.traffic);
    }
    return all;
}

// Once what was sent from there, the other way, has gone: it has, but for MPI's own slowness, since these are answers
// to it, or questions that follow them.
bool PieceExchange::begin_receives() {
    bool gone = true;
    for (std::size_t i = 0; i < in().used; ++i) gone = in().ports[i]->sending.test() && gone;
    if (!gone) return false;
    for (std::size_t i = 0; i < in().used; ++i) {
        Port& port = *in().ports[i];
        port.coming = port.in.begin_receive(*comm_, port.rank, tag());
    }
    return true;
}

bool PieceExchange::receive(gpu::Stream& stream) {
    bool all = true;
    for (std::size_t i = 0; i < in().used; ++i) {
        Port& port = *in().ports[i];
        if (port.came) continue;
        port.came = port.coming.test();
        all = all && port.came;
        if (port.came) port.in.open(stream);
    }
    return all;
}

}  // namespace mdsim
