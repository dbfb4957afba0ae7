// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/mesh/node_range.h"
#include "gpu/kernels/mesh/window/mesh_window.h"
#include "pairs/cluster_layout.h"

namespace mdsim::kernels {

/// Spreads charges over the mesh by B-splines, each addend rounded once to 2^-24 e and added as an integer: the bits
/// are those of mesh::ChargeGrid<float>, on every device.
struct SpreadChargesArgs {
    const ClusterPoints* clusters = nullptr;
    const float* charges = nullptr;  ///< of each slot [e]; zero in slots that repeat an atom
    unsigned cluster_count = 0;
    MeshWindow window{};
    NodeRange nodes{};             ///< what an atom puts on others is left out
    std::int32_t* grid = nullptr;  ///< [nodes.extent()], added to [2^-24 e]
};
MDSIM_LAUNCH_FUNCTION(spread_charges, SpreadChargesArgs);

}  // namespace mdsim::kernels
