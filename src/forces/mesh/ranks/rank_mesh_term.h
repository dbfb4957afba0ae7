// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "forces/mesh/mesh_term.h"
#include "forces/mesh/ranks/home_nodes.h"
#include "forces/mesh/ranks/mesh_layout.h"
#include "forces/mesh/ranks/mesh_tile.h"
#include "forces/mesh/ranks/node_step.h"

namespace mdsim::mesh {

/// What MeshTerm computes, by all ranks of a group together and with its bits. Every rank spreads its home atoms over
/// the nodes that these reach; each node goes to the rank whose tile it is in, by one step or several (charges that
/// meet are added as integers); the tiles are transformed and multiplied; potentials come back the same way.
///
/// compute_home spreads the charges and sends them, progress does the next part of the transforms whenever what it
/// needs has come, and compute does what is left and gathers forces. So messages travel while this rank is at other
/// terms, and no rank waits in the middle of a step for one that is a little slower. docs/theory/mesh_over_ranks.md.
template <class Real>
class RankMeshTerm final : public HostTerm {
  public:
    /// Made by all ranks of comm, which must outlive it. places: the same on all ranks. Its mesh ranks are all of them,
    /// or ranks that have no home atoms, or any others; at least one. Those that the mesh has no lines for transform
    /// nothing. What its regions say decides on messages only.
    RankMeshTerm(const MeshSettings& settings, const Comm& comm, MeshPlaces places);

    Part part() const override { return Part::mesh; }
    void assign(const LocalSystem& system) override;
    /// After assign all ranks tell each other which nodes they reach.
    void rebuild(const Evaluation& evaluation) override;
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void progress() override;
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

    /// Who transforms what; settled when it is first rebuilt.
    const MeshLayout& layout() const { return layout_; }
    /// The nodes that the atoms of each rank reach until the next assign.
    const std::vector<NodeBox>& boxes() const { return boxes_; }

  private:
    // A step of the way to the tiles, and the nodes that this rank has after it; not where the tile has them.
    struct Stage {
        std::optional<NodeStep<Real>> step;
        MeshBlock<Real> after{{}, 0};
    };

    MeshSettings settings_;
    const Comm* comm_;
    MeshPlaces places_;
    HomeNodes home_;
    bool planned_ = false;
    MeshLayout layout_;
    std::vector<NodeBox> boxes_;
    ChargeGrid<Real> grid_;
    MeshBlock<Real> reached_{{}, 0};  // the nodes of the grid that atoms reach
    std::unique_ptr<MeshTile<Real>> tile_;
    std::vector<Stage> stages_;
    // Of this evaluation; the box while the transforms are not done.
    const Box* box_ = nullptr;
    bool with_sums_ = false;
    std::size_t next_ = 0;  // stage whose charges have not come yet
    bool sent_back_ = true;

    bool go_on();
    bool transformed() const { return next_ == stages_.size() && (!tile_ || sent_back_); }
    void make_tile();
    void make_stages(const std::vector<MeshStep>& route);
    MeshBlock<Real>& before(std::size_t stage) { return stage == 0 ? reached_ : stages_[stage - 1].after; }
    MeshBlock<Real>& after(std::size_t stage) {
        return tile_ && stage + 1 == stages_.size() ? tile_->block() : stages_[stage].after;
    }
};

extern template class RankMeshTerm<float>;
extern template class RankMeshTerm<double>;

}  // namespace mdsim::mesh
