// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "core/vec3.h"
#include "domain/local/local_atoms.h"
#include "forces/mesh/mesh_block.h"
#include "parallel/comm.h"
#include "system/box.h"

namespace mdsim::mesh {

/// The mesh nodes that the home atoms of a rank reach until they are assigned anew.
class HomeNodes {
  public:
    void assign(const LocalSystem& system);
    /// A box of them for a mesh of n points and a window of `order`: along axes that are cut into regions from the
    /// first node of the lowest charged atom to the last of the highest, and what they may move; along others all.
    /// None where no atom has a charge.
    NodeBox reach(const Box& cell, const std::array<int, 3>& n, int order) const;

  private:
    bool any_ = false;
    Vec3l low_{}, high_{};        // lattice coordinates of charged atoms, not wrapped
    double farthest_move_ = 0.0;  // [nm]
    unsigned split_axes_ = 0;
};

/// The box of each rank, told to all. Collective.
std::vector<NodeBox> boxes_of_all(const NodeBox& own, const Comm& comm);

}  // namespace mdsim::mesh
