// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "pairs/clusters.h"
#include "pairs/exclusion_map.h"

namespace mdsim {

/// Two clusters of which only some pairs count: bit 8 * row + lane.
struct MaskedPair {
    std::uint32_t cluster = 0;
    std::uint64_t mask = 0;
};

/// A cluster and those that may come near it through one image. Ranges are into the arrays of the chunk.
struct OuterRow {
    std::uint32_t cluster = 0;
    std::int32_t shift = no_shift;  ///< or ambiguous_shift
    std::uint32_t masked_begin = 0, masked_end = 0, begin = 0, end = 0;
};

struct OuterChunk {
    std::vector<OuterRow> rows;
    std::vector<MaskedPair> masked;
    std::vector<std::uint32_t> plain;
};

/// What the search needs to know.
struct OuterSearch {
    const Clusters& clusters;
    const ExclusionMap& exclusions;
    const Box& cell;
    double radius;   ///< [nm]; infinity: all pairs
    bool all_pairs;  ///< no cutoff
};

/// Clusters of a chunk.
inline constexpr std::size_t chunk_clusters = 32;

/// Every pair of clusters with atoms nearer than radius (and some more), each once: those of home atoms, and those with
/// atoms of the halo. One chunk for every 32 clusters, of home and of all.
///
/// Several ranks may have the same two atoms. They compute the pair where along each axis the region of one of the two
/// is at home, and there only if they meet through the image by which the other one has come; along an axis where both
/// are at home, through any. So masks leave out what other ranks compute. They stay right as long as the list does: no
/// pair that is within its radius through one image comes within the cutoff through another.
void search_outer(const OuterSearch& search, std::vector<OuterChunk>& home, std::vector<OuterChunk>& halo);

/// The image through which atom coordinates a (of a cluster with that centre) and b meet, in whole boxes: the a - b of
/// unwrapped coordinates less their minimum image.
inline int image_along(std::uint32_t a, std::uint32_t center_a, std::uint32_t b, std::uint32_t center_b) {
    const std::int64_t whole_a = std::int64_t{center_a} + lattice_difference(a, center_a);
    const std::int64_t whole_b = std::int64_t{center_b} + lattice_difference(b, center_b);
    return static_cast<int>((whole_a - whole_b - lattice_difference(a, b)) >> 32);
}

}  // namespace mdsim
