// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "io/trajectory/cell.h"

namespace mdsim {

/// The box as a picture shows it: twelve edges between eight corners; nothing where there is no box.
struct BoxEdges {
    explicit BoxEdges(const Cell& box);

    std::vector<float> corners;       ///< [nm], extent: 3 * 8
    std::vector<std::int64_t> edges;  ///< pairs of corners, from 0; extent: 2 * 12
};

}  // namespace mdsim
