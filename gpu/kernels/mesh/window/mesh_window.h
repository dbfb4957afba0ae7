// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim::kernels {

/// How much of a charge the nodes along an axis get, as mesh::Window has it: a B-spline of 4 to 6 nodes, or a
/// polynomial for each of 5 to 8.
struct MeshWindow {
    static constexpr int most_nodes = 8, terms = 10;  ///< those of mesh::WindowPieces

    int order = 4;  ///< nodes
    bool by_pieces = false;
    float pieces[most_nodes][terms] = {};  ///< [order] of them
};

}  // namespace mdsim::kernels
