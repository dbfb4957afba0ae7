// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/rank_mesh_term.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim::mesh {

namespace {

std::size_t place(int i) {
    return static_cast<std::size_t>(i);
}

void wait_all(std::vector<Request>& requests) {
    for (Request& request : requests) request.wait();
    requests.clear();
}

/// f(plane) for all planes, from all threads.
template <class F>
void for_planes(int planes, F&& f) {
    parallel_ranges(place(planes), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t x = begin; x < end; ++x) f(static_cast<int>(x));
    });
}

}  // namespace

template <class Real>
RankMeshTerm<Real>::RankMeshTerm(const MeshSettings& settings, const Comm& comm, std::vector<int> mesh_ranks)
    : settings_(settings), comm_(&comm), mesh_ranks_(std::move(mesh_ranks)), grid_(settings.mesh, settings.window) {
    MDSIM_EXPECT(!mesh_ranks_.empty() && mesh_ranks_.front() >= 0 && mesh_ranks_.back() < comm.size());
    MDSIM_EXPECT(std::is_sorted(mesh_ranks_.begin(), mesh_ranks_.end()));
}

template <class Real>
void RankMeshTerm<Real>::assign(const LocalSystem& system) {
    grid_.set_charges(std::span(system.parameters.charge).first(system.atoms.home));
    home_.assign(system);
    planned_ = false;
}

template <class Real>
void RankMeshTerm<Real>::rebuild(const Evaluation& evaluation) {
    if (planned_) return;
    planned_ = true;
    const NodeBox own = home_.reach(evaluation.box, settings_.mesh, settings_.window.order);
    const std::vector<NodeBox> boxes = boxes_of_all(own, *comm_);
    const int rank = comm_->rank();
    if (layout_.rank_of_tile.empty()) {
        layout_ = choose_layout(settings_.mesh, boxes, mesh_ranks_, sizeof(Real));
        const auto& ranks = layout_.rank_of_tile;
        const auto found = std::find(ranks.begin(), ranks.end(), rank);
        if (found != ranks.end()) {
            tile_ =
                std::make_unique<MeshTile<Real>>(settings_, layout_, static_cast<int>(found - ranks.begin()), *comm_);
        }
    }
    traffic_ = mesh_traffic(layout_, boxes, sizeof(Real))[place(rank)];
    grid_.set_nodes(own);
    make_links(boxes);
}

template <class Real>
typename RankMeshTerm<Real>::Link RankMeshTerm<Real>::make_link(int rank, NodeOverlap overlap) const {
    const auto nodes = static_cast<std::size_t>(overlap.nodes());
    return {rank, std::move(overlap), std::vector<GridInteger<Real>>(nodes), std::vector<Real>(nodes)};
}

template <class Real>
void RankMeshTerm<Real>::make_links(const std::vector<NodeBox>& boxes) {
    const int rank = comm_->rank();
    tiles_there_.clear();
    atoms_there_.clear();
    own_.reset();
    for (int tile = 0; tile < layout_.pencils.tiles(); ++tile) {
        const int there = layout_.rank_of_tile[place(tile)];
        NodeOverlap overlap(boxes[place(rank)], tile_nodes(layout_.pencils, tile), settings_.mesh);
        if (overlap.nodes() == 0) continue;
        if (there == rank) {
            own_ = std::move(overlap);
        } else {
            tiles_there_.push_back(make_link(there, std::move(overlap)));
        }
    }
    if (!tile_) return;
    for (int there = 0; there < comm_->size(); ++there) {
        if (there == rank) continue;
        NodeOverlap overlap(boxes[place(there)], tile_->block().box(), settings_.mesh);
        if (overlap.nodes() > 0) atoms_there_.push_back(make_link(there, std::move(overlap)));
    }
}

template <class Real>
void RankMeshTerm<Real>::begin_receives() {
    for (Link& link : atoms_there_) {
        charges_coming_.push_back(
            comm_->begin_receive(link.rank, charges_tag, std::as_writable_bytes(std::span(link.charges))));
    }
    for (Link& link : tiles_there_) {
        potentials_coming_.push_back(
            comm_->begin_receive(link.rank, potential_tag, std::as_writable_bytes(std::span(link.potential))));
    }
}

template <class Real>
void RankMeshTerm<Real>::send_charges(const Evaluation& evaluation) {
    if (grid_.block().box().empty()) return;
    MeshBlock<Real>& block = grid_.block();
    grid_.spread(evaluation.points);
    for_planes(block.box().count[0], [&](int x) {
        block.fold(x);
        for (Link& link : tiles_there_) {
            link.overlap.for_rows(x, [&](int y, int z, int, int, int count, std::int64_t at) {
                std::copy_n(block.charges(x, y) + z, count, link.charges.begin() + at);
            });
        }
    });
    for (const Link& link : tiles_there_) {
        sending_.push_back(comm_->begin_send(link.rank, charges_tag, as_bytes_of(link.charges), Traffic::mesh_halo));
    }
}

// f(charges, potential, y, z, count) for the rows of plane x of the tile that others or this rank's atoms share:
// charges and potential there, and where the row begins in the tile.
template <class Real>
template <class F>
void RankMeshTerm<Real>::for_shared_rows(int x, F&& f) {
    const auto visit = [&](const NodeOverlap& overlap, Link* link) {
        const int plane = overlap.plane_of_box(x);
        if (plane >= overlap.planes()) return;
        overlap.for_rows(plane, [&](int y, int z, int tile_y, int tile_z, int count, std::int64_t at) {
            if (link == nullptr) {
                MeshBlock<Real>& home = grid_.block();
                f(home.charges(plane, y) + z, home.potential(plane, y) + z, tile_y, tile_z, count);
            } else {
                f(link->charges.data() + at, link->potential.data() + at, tile_y, tile_z, count);
            }
        });
    };
    if (own_) visit(*own_, nullptr);
    for (Link& link : atoms_there_) visit(link.overlap, &link);
}

template <class Real>
void RankMeshTerm<Real>::collect_charges() {
    wait_all(charges_coming_);
    MeshBlock<Real>& tile = tile_->block();
    for_planes(tile.box().count[0], [&](int x) {
        tile.clear(x);
        for_shared_rows(x, [&](const GridInteger<Real>* charges, Real*, int y, int z, int count) {
            GridInteger<Real>* to = tile.charges(x, y) + z;
            for (int i = 0; i < count; ++i) to[i] += charges[i];
        });
    });
}

template <class Real>
void RankMeshTerm<Real>::send_potential() {
    MeshBlock<Real>& tile = tile_->block();
    for_planes(tile.box().count[0], [&](int x) {
        for_shared_rows(x, [&](GridInteger<Real>*, Real* potential, int y, int z, int count) {
            std::copy_n(tile.potential(x, y) + z, count, potential);
        });
    });
    for (const Link& link : atoms_there_) {
        sending_.push_back(
            comm_->begin_send(link.rank, potential_tag, as_bytes_of(link.potential), Traffic::mesh_halo));
    }
}

template <class Real>
void RankMeshTerm<Real>::collect_potential() {
    wait_all(potentials_coming_);
    MeshBlock<Real>& block = grid_.block();
    for_planes(block.box().count[0], [&](int x) {
        for (const Link& link : tiles_there_) {
            link.overlap.for_rows(x, [&](int y, int z, int, int, int count, std::int64_t at) {
                std::copy_n(link.potential.begin() + at, count, block.potential(x, y) + z);
            });
        }
        block.close(x);
    });
}

// What runs at once: the messages of all ranks, and within a rank the threads of one loop after the other. A rank goes
// on as soon as it has what it needs: tiles wait for charges and then, four times, for their pieces of the spectrum,
// and nobody here waits for the potential. Buffers belong to the messages from begin_receives, send_charges and
// send_potential until compute has waited for all of them; the nodes of home atoms are free again once they are packed.
template <class Real>
void RankMeshTerm<Real>::compute_home(const Evaluation& evaluation, ForceSink&) {
    MDSIM_EXPECT(planned_);
    begin_receives();
    send_charges(evaluation);
    if (!tile_) return;
    collect_charges();
    tile_->solve(evaluation.box, wants_wave_sums(evaluation.plan));
    send_potential();
}

template <class Real>
void RankMeshTerm<Real>::compute(const Evaluation& evaluation, ForceSink& sink) {
    if (!grid_.block().box().empty()) {
        collect_potential();
        add_mesh_forces(grid_, evaluation.box, settings_.mesh, sink);
    }
    if (tile_ && wants_wave_sums(evaluation.plan)) add_wave_sums(tile_->sums(), sink);
    wait_all(sending_);
    if (tile_ && tile_->block().overloaded()) throw_overloaded();
}

template class RankMeshTerm<float>;
template class RankMeshTerm<double>;

}  // namespace mdsim::mesh
