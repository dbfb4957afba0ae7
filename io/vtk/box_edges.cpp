// SPDX-License-Identifier: Apache-2.0
#include "io/vtk/box_edges.h"

namespace mdsim {

BoxEdges::BoxEdges(const Cell& box) {
    for (std::int64_t corner = 0; box.periodic() && corner < 8; ++corner) {
        Vec3d at{};
        for (const int axis : {0, 1, 2}) {
            const std::int64_t bit = std::int64_t{1} << axis;
            if ((corner & bit) != 0) {
                at += box.rows()[static_cast<std::size_t>(axis)];
            } else {
                edges.insert(edges.end(), {corner, corner | bit});
            }
        }
        corners.insert(corners.end(), {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    }
}

}  // namespace mdsim
