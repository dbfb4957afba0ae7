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
#include "forces/mesh/ranks/node_overlap.h"

namespace mdsim::mesh {

/// What MeshTerm computes, by all ranks of a group together and with its bits. Every rank spreads its home atoms over
/// the nodes that these reach; each node goes to the rank whose tile it is in (charges of several ranks are added as
/// integers); the tiles are transformed and multiplied; potentials come back the same way.
///
/// compute_home begins all of that and, on ranks with a tile, goes through the transforms; compute waits for the
/// potential and gathers forces. So where some ranks have tiles and no atoms, the others work on other terms meanwhile.
/// docs/theory/mesh_over_ranks.md.
template <class Real>
class RankMeshTerm final : public HostTerm {
  public:
    /// Made by all ranks of comm, which must outlive it. mesh_ranks: those that transform lines, in ascending order and
    /// the same on all ranks: all of them, or ranks that have no home atoms (or any others). At least one; those that
    /// the mesh has no lines for do nothing here.
    RankMeshTerm(const MeshSettings& settings, const Comm& comm, std::vector<int> mesh_ranks);

    Part part() const override { return Part::mesh; }
    void assign(const LocalSystem& system) override;
    /// After assign all ranks tell each other which nodes they reach.
    void rebuild(const Evaluation& evaluation) override;
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

    /// Who transforms what; settled when it is first rebuilt.
    const MeshLayout& layout() const { return layout_; }
    /// What this rank sends in one evaluation until the next assign.
    const MeshTraffic& traffic() const { return traffic_; }

  private:
    // Nodes that this rank and another exchange: of the atoms here and a tile there, or of atoms there and the tile
    // here.
    struct Link {
        int rank;
        NodeOverlap overlap;
        std::vector<GridInteger<Real>> charges;
        std::vector<Real> potential;
    };

    MeshSettings settings_;
    const Comm* comm_;
    std::vector<int> mesh_ranks_;
    HomeNodes home_;
    bool planned_ = false;
    MeshLayout layout_;
    MeshTraffic traffic_;
    ChargeGrid<Real> grid_;
    std::unique_ptr<MeshTile<Real>> tile_;
    std::vector<Link> tiles_there_, atoms_there_;
    std::optional<NodeOverlap> own_;  // of the atoms here and the tile here
    std::vector<Request> charges_coming_, potentials_coming_, sending_;

    void make_links(const std::vector<NodeBox>& boxes);
    Link make_link(int rank, NodeOverlap overlap) const;
    template <class F>
    void for_shared_rows(int x, F&& f);
    void begin_receives();
    void send_charges(const Evaluation& evaluation);
    void collect_charges();
    void send_potential();
    void collect_potential();
};

extern template class RankMeshTerm<float>;
extern template class RankMeshTerm<double>;

}  // namespace mdsim::mesh
