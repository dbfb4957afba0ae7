// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_exchange.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "forces/mesh/ranks/mesh_layout.h"
#include "forces/mesh/ranks/node_overlap.h"

namespace mdsim {

using mesh::NodeBox;
using mesh::NodeOverlap;
using Way = PieceExchange::Way;

namespace {

constexpr gpu::Work grid_work{"charges of home atoms", "the mesh"};
constexpr gpu::Work potential_work{"potential of home atoms", "the mesh"};
constexpr PieceExchange::Kind nodes_kind{{"nodes between ranks", "the mesh"}, 4, 411, Traffic::mesh_halo};
constexpr unsigned step = 2;  // from a node to the next along z

/// f(place in `from`, place in `to`, place in a message, nodes) for the rows along z that two boxes share.
template <class F>
void for_shared_rows(const NodeBox& from, const NodeBox& to, const std::array<int, 3>& n, F&& f) {
    const NodeOverlap overlap(from, to, n);
    const kernels::NodeRange range_from = range_of(from, n), range_to = range_of(to, n);
    const auto place = [](const kernels::NodeRange& range, int x, int y, int z) {
        return static_cast<std::size_t>(range.along_x(x) + range.along_y(y) + range.along_z(z));
    };
    for (int x = 0; x < from.count[0]; ++x) {
        overlap.with_plane_of_from(x, [&](NodeOverlap::Plane plane) {
            overlap.for_rows(plane.number, [&](const NodeOverlap::Row& row) {
                f(place(range_from, x, row.from_y, row.from_z), place(range_to, plane.there, row.to_y, row.to_z),
                  static_cast<std::size_t>(row.at), static_cast<std::size_t>(row.count));
            });
        });
    }
}

void add_piece(std::vector<SharedPieces::Piece>& pieces, int rank, RowTable rows) {
    if (rows.numbers() > 0) pieces.push_back({rank, std::move(rows)});
}

}  // namespace

int devices_for_mesh(const std::array<int, 3>& mesh, int devices) {
    constexpr std::int64_t least = 1 << 20, of_each = 1 << 17;
    const std::int64_t nodes = std::int64_t{mesh[0]} * mesh[1] * mesh[2];
    return nodes < least ? 1 : static_cast<int>(std::min<std::int64_t>(nodes / of_each, devices));
}

MeshExchange::MeshExchange(const gpu::Device& device, const Comm& comm, const mesh::MeshSettings& settings,
                           std::vector<int> mesh_ranks, Transport transport)
    : device_(device),
      comm_(&comm),
      mesh_ranks_(std::move(mesh_ranks)),
      transport_(transport),
      atoms_(device, settings, {}),
      grid_(device, grid_work),
      potential_(device, potential_work),
      nodes_(device, comm, nodes_kind, transport) {
    MDSIM_EXPECT(!mesh_ranks_.empty() && mesh_ranks_.back() < comm.size());
    MDSIM_EXPECT(std::is_sorted(mesh_ranks_.begin(), mesh_ranks_.end()));
}

void MeshExchange::assign(const LocalSystem& system) {
    home_.assign(system);
    atoms_.assign(system);
}

void MeshExchange::plan(const Box& cell, gpu::Stream& stream) {
    const NodeBox own = home_.reach(cell, mesh(), atoms_.settings().window.order);
    const std::vector<NodeBox> boxes = mesh::boxes_of_all(own, *comm_);
    if (layout_.rank_of_tile.empty()) make_tile(boxes);
    range_ = range_of(own, mesh());
    grid_.resize(range_.extent());
    potential_.resize(range_.extent());
    grid_.zero(stream);
    nodes_.plan(pieces(boxes), stream);
}

void MeshExchange::make_tile(const std::vector<NodeBox>& boxes) {
    std::vector<NodeBox> turned;
    for (const NodeBox& box : boxes) turned.push_back(along_lines(box));
    layout_ = mesh::choose_layout(along_lines(mesh()), turned, {.mesh_ranks = mesh_ranks_}, sizeof(float));
    const auto& ranks = layout_.rank_of_tile;
    const auto found = std::find(ranks.begin(), ranks.end(), comm_->rank());
    if (found == ranks.end()) return;
    const int tile = static_cast<int>(found - ranks.begin());
    tile_ = std::make_unique<PencilSolver>(device_, *comm_, atoms_.settings(), layout_, tile, transport_);
}

SharedPieces MeshExchange::pieces(const std::vector<NodeBox>& boxes) const {
    const int here = comm_->rank();
    const NodeBox& own = boxes[static_cast<std::size_t>(here)];
    SharedPieces pieces;
    for (int t = 0; t < layout_.pencils.tiles(); ++t) {
        const int there = layout_.rank_of_tile[static_cast<std::size_t>(t)];
        const NodeBox tile = along_lines(mesh::tile_nodes(layout_.pencils, t));
        RowTable away;
        for_shared_rows(own, tile, mesh(), [&](std::size_t from, std::size_t to, std::size_t at, std::size_t nodes) {
            if (there == here) {
                pieces.own.add(from, to, nodes);
            } else {
                away.add(from, at, nodes);
            }
        });
        add_piece(pieces.near, there, std::move(away));
        for (int rank = 0; there == here && rank < comm_->size(); ++rank) {
            if (rank == here) continue;
            RowTable coming;
            for_shared_rows(
                boxes[static_cast<std::size_t>(rank)], tile, mesh(),
                [&](std::size_t, std::size_t to, std::size_t at, std::size_t nodes) { coming.add(to, at, nodes); });
            add_piece(pieces.far, rank, std::move(coming));
        }
    }
    return pieces;
}

void MeshExchange::begin(gpu::Stream& stream, const MeshRun& run) {
    MDSIM_EXPECT(stage_ == Stage::done);
    stream_ = &stream;
    run_.emplace(run);
    atoms_.spread(stream, run, home_nodes());
    const std::int32_t* const charges = grid_.data();
    kernels::copy_charges(stream, nodes_.packing(Way::near_to_far, charges, step));
    kernels::add_charges(stream, nodes_.own(Way::near_to_far, charges, tile_nodes().charges, step));
    grid_.zero(stream);
    nodes_.begin(stream, Way::near_to_far);
    stage_ = Stage::charges;
    progress();
}

bool MeshExchange::progress() {
    while (stage_ != Stage::done && came()) go_on();
    return stage_ == Stage::done;
}

bool MeshExchange::came() {
    return stage_ == Stage::solve ? tile_->progress() : nodes_.progress(*stream_);
}

void MeshExchange::go_on() {
    switch (stage_) {
        case Stage::charges:
            return tile_ ? solve() : begin_potential();
        case Stage::solve:
            return begin_potential();
        case Stage::potential:
            return finish();
        case Stage::done:
            return;
    }
}

void MeshExchange::solve() {
    kernels::add_charges(*stream_, nodes_.unpacking(Way::near_to_far, tile_nodes().charges, step));
    tile_->begin(*stream_, *run_);
    stage_ = Stage::solve;
}

void MeshExchange::begin_potential() {
    const float* const potential = tile_nodes().potential;
    kernels::copy_potential(*stream_, nodes_.packing(Way::far_to_near, potential, step));
    kernels::copy_potential(*stream_, nodes_.own(Way::far_to_near, potential, potential_.data(), step));
    nodes_.begin(*stream_, Way::far_to_near);
    stage_ = Stage::potential;
}

void MeshExchange::finish() {
    kernels::copy_potential(*stream_, nodes_.unpacking(Way::far_to_near, potential_.data(), step));
    atoms_.gather(*stream_, *run_, home_nodes());
    if (tile_ && run_->with_energy) tile_->download_sums(*stream_);
    stage_ = Stage::done;
}

void MeshExchange::report(EnergySums& energies) const {
    if (tile_) tile_->report(energies);
}

}  // namespace mdsim
