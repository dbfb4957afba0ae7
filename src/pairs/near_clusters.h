// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pairs/clusters.h"

namespace mdsim {

/// A cluster near another one and the image through which they meet.
struct NearCluster {
    std::uint32_t cluster = 0;
    std::int32_t shift = 0;  ///< see shift_code, or ambiguous_shift
};
/// Room that find_near needs beyond what it finds.
inline constexpr std::size_t near_padding = 16;

/// The bounds of all clusters axis by axis; extent: clusters, padded to whole vectors.
struct BoundsInVectors {
    BoundsInVectors(const Clusters& clusters, const Box& cell, double radius);

    std::array<std::vector<std::int32_t>, 3> center;
    std::array<std::vector<float>, 3> half_extent;  ///< along the heights of the box [nm]
    std::vector<float> sphere;                      ///< [nm]
    std::array<float, 3> nm_per_unit{};             ///< of the heights
    std::array<float, 3> height{};                  ///< less what rounding may do [nm]
    LatticeMetric<float> metric;
    float radius;  ///< [nm]
    bool rectangular;
    bool spheres_hold;  ///< centres are nearest through the image that atoms within the radius are
};

/// Those of the clusters first ... last - 1 that may have an atom nearer than the radius to one of cluster i (a lower
/// bound of the distance is tested); their number. The gap along an axis is that of two arcs on a circle, so it holds
/// for the nearest of all images. Where along some axis the arcs are that near the other way round as well, the image
/// is ambiguous. By the widest vectors of this processor.
std::size_t find_near(const BoundsInVectors& bounds, std::uint32_t i, std::uint32_t first, std::uint32_t last,
                      NearCluster* out);

}  // namespace mdsim
