// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "forces/mesh/mesh_block.h"
#include "forces/mesh/ranks/mesh_route.h"
#include "forces/mesh/ranks/node_overlap.h"
#include "parallel/comm.h"

namespace mdsim::mesh {

/// One rank's part of a step of the way from atoms to tiles: charges of the nodes `from` go to those ranks of its row
/// that have them in `to` and are added there as integers; potentials come back. from and to below are blocks with the
/// boxes that the step has for this rank; they hold charges or potentials, and the same ones are given throughout an
/// evaluation. Where they are parts of one block, what stays here is not touched, and nodes of `to` that are not in
/// `from` have to be zero before.
///
/// In an evaluation, in this order: begin_receives, send_charges, charges_came until it is true, collect_charges,
/// send_potential, collect_potential, finish. Messages are on their way in between.
template <class Real>
class NodeStep {
  public:
    /// comm must outlive it; n: mesh points.
    NodeStep(const Comm& comm, const MeshStep& step, const std::array<int, 3>& n);

    void begin_receives();
    void send_charges(MeshBlock<Real>& from);
    /// Does not wait; true once the charges of the others have come.
    bool charges_came();
    void wait_for_charges();
    /// After that.
    void collect_charges(MeshBlock<Real>& from, MeshBlock<Real>& to);
    /// The potential is in `to`; what stays here is in `from` afterwards.
    void send_potential(MeshBlock<Real>& from, MeshBlock<Real>& to);
    /// Waits for the potential of the others.
    void collect_potential(MeshBlock<Real>& from);
    /// Waits until what was sent has gone.
    void finish();

  private:
    // Nodes that this rank and another one exchange: from here to there, or from there to here.
    struct Link {
        int rank;
        NodeOverlap overlap;
        std::vector<GridInteger<Real>> charges;
        std::vector<Real> potential;
    };
    const Comm* comm_;
    Traffic traffic_;
    std::vector<Link> up_, down_;     // this rank's nodes to others; those of others to this rank
    std::optional<NodeOverlap> own_;  // what stays here
    std::vector<Request> charges_coming_, potentials_coming_, sending_;

    void add_link(std::vector<Link>& links, int rank, NodeOverlap overlap);
    template <class F>
    void for_rows_of_to(int x, MeshBlock<Real>& from, const MeshBlock<Real>& to, F&& f);
};

extern template class NodeStep<float>;
extern template class NodeStep<double>;

}  // namespace mdsim::mesh
