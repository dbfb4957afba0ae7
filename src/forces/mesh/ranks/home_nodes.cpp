// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/ranks/home_nodes.h"

#include <algorithm>
#include <span>

#include "forces/mesh/ranks/mesh_layout.h"

namespace mdsim::mesh {

void HomeNodes::assign(const LocalSystem& system) {
    const LocalAtoms& atoms = system.atoms;
    any_ = false;
    farthest_move_ = atoms.farthest_move;
    split_axes_ = atoms.split_axes;
    for (std::size_t i = 0; i < atoms.home; ++i) {
        if (system.parameters.charge[i] == 0.0) continue;
        const Vec3l place = atoms.places.empty() ? Vec3l{} : atoms.places[i];
        for (int a = 0; a < 3; ++a) {
            low_[a] = any_ ? std::min(low_[a], place[a]) : place[a];
            high_[a] = any_ ? std::max(high_[a], place[a]) : place[a];
        }
        any_ = true;
    }
}

NodeBox HomeNodes::reach(const Box& cell, const std::array<int, 3>& n, int order) const {
    NodeBox nodes;
    if (!any_) return nodes;
    const Vec3d heights = cell.heights();
    for (std::size_t i = 0; i < 3; ++i) {
        const int a = static_cast<int>(i);
        NodeReach reach{0, n[i]};
        if ((split_axes_ >> i & 1u) != 0) {
            reach = node_reach(low_[a] * n[i] >> 32, high_[a] * n[i] >> 32, farthest_move_ / heights[a] * n[i], order,
                               n[i]);
        }
        nodes.first[i] = reach.first;
        nodes.count[i] = reach.count;
    }
    return nodes;
}

std::vector<NodeBox> boxes_of_all(const NodeBox& own, const Comm& comm) {
    std::vector<NodeBox> boxes;
    for (const Bytes& bytes : comm.gather_to_all(std::as_bytes(std::span(&own, 1)))) {
        boxes.push_back(values_of<NodeBox>(bytes).front());
    }
    return boxes;
}

}  // namespace mdsim::mesh
