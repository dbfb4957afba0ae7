// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/rank_mesh_term.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace mdsim::mesh {

namespace {

std::size_t place(int i) {
    return static_cast<std::size_t>(i);
}

/// The least box that has both in one piece, if it has no more nodes than both together; otherwise the first one.
NodeBox with_room_for(const NodeBox& more, const NodeBox& box, const std::array<int, 3>& n) {
    if (more.empty()) return box;
    if (box.empty()) return more;
    NodeBox both = box;
    for (std::size_t a = 0; a < 3; ++a) {
        const int up = (more.first[a] - box.first[a] + n[a]) % n[a], down = (n[a] - up) % n[a];
        const int from_box = std::max(box.count[a], up + more.count[a]);
        const int from_more = std::max(more.count[a], down + box.count[a]);
        if (from_more < from_box) both.first[a] = more.first[a];
        both.count[a] = std::min(from_box, from_more);
        if (both.count[a] > n[a]) return box;
    }
    return both.nodes() <= box.nodes() + more.nodes() ? both : box;
}

}  // namespace

template <class Real>
RankMeshTerm<Real>::RankMeshTerm(const MeshSettings& settings, const Comm& comm, MeshPlaces places)
    : settings_(settings), comm_(&comm), places_(std::move(places)), grid_(settings.mesh, settings.window) {
    const std::vector<int>& ranks = places_.mesh_ranks;
    MDSIM_EXPECT(!ranks.empty() && ranks.front() >= 0 && ranks.back() < comm.size());
    MDSIM_EXPECT(std::is_sorted(ranks.begin(), ranks.end()));
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
    boxes_ = boxes_of_all(own, *comm_);
    if (layout_.rank_of_tile.empty()) make_tile();
    make_stages(make_route(layout_, boxes_));
}

template <class Real>
void RankMeshTerm<Real>::make_tile() {
    layout_ = choose_layout(settings_.mesh, boxes_, places_, sizeof(Real));
    const auto& ranks = layout_.rank_of_tile;
    const auto found = std::find(ranks.begin(), ranks.end(), comm_->rank());
    if (found == ranks.end()) return;
    tile_ = std::make_unique<MeshTile<Real>>(settings_, layout_, static_cast<int>(found - ranks.begin()), *comm_);
}

// The nodes of all steps are in one block, as far as they lie beside each other: then nothing is copied that stays on
// this rank, and what comes from others is added where it is needed.
template <class Real>
void RankMeshTerm<Real>::make_stages(const std::vector<MeshStep>& route) {
    const std::size_t here = place(comm_->rank());
    const NodeBox& reached = route.front().from[here];
    NodeBox room = reached;
    for (const MeshStep& step : route) room = with_room_for(step.to[here], room, settings_.mesh);
    grid_.set_nodes(reached, room);
    MDSIM_ENSURE(reached_.become_part(grid_.block(), reached, settings_.mesh));
    if (stages_.size() != route.size()) stages_ = std::vector<Stage>(route.size());
    for (std::size_t s = 0; s < route.size(); ++s) {
        stages_[s].step.emplace(*comm_, route[s], settings_.mesh);
        const NodeBox& to = route[s].to[here];
        if (!after(s).become_part(grid_.block(), to, settings_.mesh)) after(s).resize(to);
    }
}

// What runs at once: the messages of all ranks, and within a rank the threads of one loop after the other. A rank goes
// on as soon as it has what it needs: charges of one step before it sends those of the next, tiles then, twice or four
// times, their pieces of the spectrum; nobody here waits for the potential. Buffers belong to the messages from
// begin_receives, send_charges and send_potential until compute has waited for all of them; the nodes of a block are
// free for potentials once those of the next one have their charges.
template <class Real>
void RankMeshTerm<Real>::compute_home(const Evaluation& evaluation, ForceSink&) {
    MDSIM_EXPECT(planned_);
    box_ = &evaluation.box;
    with_sums_ = wants_wave_sums(evaluation.plan);
    next_ = 0;
    sent_back_ = false;
    for (Stage& stage : stages_) stage.step->begin_receives();
    if (!grid_.block().box().empty()) grid_.spread(evaluation.points);
    grid_.fold_rows();
    stages_[0].step->send_charges(before(0));
}

template <class Real>
void RankMeshTerm<Real>::progress() {
    while (box_ != nullptr && !transformed() && go_on()) {
    }
}

// The next part, if what it needs has come.
template <class Real>
bool RankMeshTerm<Real>::go_on() {
    if (next_ < stages_.size()) {
        NodeStep<Real>& step = *stages_[next_].step;
        if (!step.charges_came()) return false;
        step.collect_charges(before(next_), after(next_));
        ++next_;
        if (next_ < stages_.size()) {
            stages_[next_].step->send_charges(before(next_));
        } else if (tile_) {
            tile_->begin(*box_, with_sums_);
        }
        return true;
    }
    if (!tile_->advance()) return false;
    if (tile_->solved()) {
        stages_.back().step->send_potential(before(next_ - 1), after(next_ - 1));
        sent_back_ = true;
    }
    return true;
}

template <class Real>
void RankMeshTerm<Real>::compute(const Evaluation& evaluation, ForceSink& sink) {
    while (!transformed()) {
        next_ < stages_.size() ? stages_[next_].step->wait_for_charges() : tile_->wait();
        go_on();
    }
    box_ = nullptr;
    for (std::size_t s = stages_.size(); s-- > 0;) {
        if (s + 1 < stages_.size()) stages_[s].step->send_potential(before(s), after(s));
        stages_[s].step->collect_potential(before(s));
    }
    grid_.close_rows();
    if (!reached_.box().empty()) add_mesh_forces(grid_, evaluation.box, settings_.mesh, sink);
    if (tile_ && with_sums_) add_wave_sums(tile_->sums(), sink);
    for (Stage& stage : stages_) stage.step->finish();
    if (tile_ && tile_->block().overloaded()) throw_overloaded();
}

template class RankMeshTerm<float>;
template class RankMeshTerm<double>;

}  // namespace mdsim::mesh
