// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "pairs/cluster_layout.h"
#include "pairs/outer_list.h"

namespace mdsim {

/// How far a pruned list reaches: edges of its shells as squares of distances, from that of the cutoff to that of the
/// list [nm^2].
using ShellEdges = std::array<float, shell_count + 1>;

struct PruneArguments {
    const ClusterPoints* points;     ///< of all clusters
    const ClusterBounds* bounds;     ///< of all clusters
    const std::uint32_t* real_rows;  ///< per cluster: number of atoms
    LatticeMetric<float> metric;
    ShellEdges edges;
};

/// The rows of a chunk: for each group of each outer row, the clusters with an atom nearer than the list radius to an
/// atom of the group (exact distances). Pairs of clusters whose image was ambiguous go into rows by the image through
/// which their atoms within the list radius meet now: until the list expires no others come within the cutoff. By the
/// widest vectors of this processor.
void prune_chunk(const PruneArguments& arguments, const OuterChunk& outer, PairChunk& inner);

/// The largest distance of an atom of each cluster from where it was; extent of all: clusters.
void find_moves(const LatticeMetric<float>& metric, std::span<const ClusterPoints> now,
                std::span<const ClusterPoints> before, std::span<float> moves);

/// The two largest distances between points and where they were, found by all threads.
struct LargestMoves {
    float first = 0.0f, second = 0.0f;  ///< [nm]
    void add(const LargestMoves& other);
};
LargestMoves largest_moves(const LatticeMetric<float>& metric, std::span<const LatticePoint> now,
                           std::span<const LatticePoint> before);

}  // namespace mdsim
