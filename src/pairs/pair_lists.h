// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "pairs/clusters.h"
#include "pairs/exclusion_map.h"
#include "pairs/outer_list.h"
#include "pairs/prune.h"

namespace mdsim {

/// Where the list that kernels walk through is made from the outer one. A device does that with the positions that it
/// has anyway; then PairLists says when, and has no chunks.
enum class Pruning { on_host, on_device };

struct PairListSettings {
    double cutoff = 0.9;       ///< [nm]; infinity: all pairs
    double inner_skin = 0.18;  ///< beyond the cutoff, of the list that the kernels use [nm]
    double outer_skin = 0.46;  ///< beyond the cutoff, of the list that it is pruned from [nm]
    Pruning pruning = Pruning::on_host;
    std::optional<std::uint64_t> random_order_seed;  ///< debug: rows and entries in random order
};

/// Where the atoms are.
struct PairPositions {
    const Box& cell;  ///< of the lattice coordinates
    bool periodic;    ///< false: a vacuum cell, which may change its size
    std::span<const LatticePoint> points;
};

/// The pairs of clusters within reach of each other, on two levels: an outer list made by a search over the columns of
/// the box, and from it, pruned by exact distances, the list that kernels walk through.
///
/// No pair within the cutoff is ever missing. A pair outside of a list of radius R made earlier has come no nearer than
/// (1 - s) R - d1 - d2, where d1 and d2 are the two largest displacements of any atoms since then and s bounds the
/// strain of the box; as long as that is above the cutoff the list holds.
class PairLists {
  public:
    enum class Condition { valid, prune, search };

    /// has_lj: per atom.
    PairLists(const PairListSettings& settings, ExclusionMap exclusions, std::vector<unsigned char> has_lj);

    /// Whether the list may lack a pair at these positions.
    Condition condition(const PairPositions& now) const;
    /// Brings the list up to date: nothing, a pruning or a search. Throws Error (unstable, MD506) where the box is too
    /// small for the cutoff. True where anything was done.
    bool update(const PairPositions& now);
    /// A search, needed or not.
    void search_anew(const PairPositions& now);
    /// Takes the positions of now into the clusters; the list must be valid for them.
    void gather(const PairPositions& now);

    const Clusters& clusters() const { return clusters_; }
    std::span<const PairChunk> chunks() const { return chunks_; }
    /// How many shells of its rows a cluster has to look through since the last gather; the others hold no pair within
    /// the cutoff. Extent: clusters.
    std::span<const unsigned char> shells() const { return shells_; }
    /// The list that `chunks` is pruned from, and the radius that it is pruned to [nm].
    std::span<const OuterChunk> outer() const { return outer_; }
    double inner_radius() const { return inner_radius_; }
    /// Without a cutoff; there is no radius then.
    bool all_pairs() const;
    /// Chunks cut into one contiguous part a thread, with equal numbers of entries: the first chunk of each part, and
    /// one more.
    std::span<const std::size_t> parts() const { return parts_; }
    /// Which chunks of clusters the rows of a part refer to; extent: chunks.
    std::span<const unsigned char> touched(std::size_t part) const { return touched_[part]; }

    /// How often, since the start.
    std::int64_t searches() const { return searches_; }
    std::int64_t prunings() const { return prunings_; }

  private:
    PairListSettings settings_;
    ExclusionMap exclusions_;
    std::vector<unsigned char> has_lj_;
    Clusters clusters_;
    std::vector<std::uint32_t> real_rows_;
    std::vector<unsigned char> shells_;
    std::vector<OuterChunk> outer_;
    std::vector<PairChunk> chunks_;
    std::vector<std::size_t> parts_;
    std::vector<std::vector<unsigned char>> touched_;

    double inner_radius_ = 0.0, outer_radius_ = 0.0;  // [nm]
    std::optional<Box> searched_cell_, pruned_cell_;
    std::vector<LatticePoint> searched_points_, pruned_points_;
    std::vector<ClusterPoints> pruned_clusters_;
    std::vector<float> moves_;  // since the last pruning, of each cluster [nm]
    std::int64_t searches_ = 0, prunings_ = 0;

    bool holds(const PairPositions& now, const Box& cell, std::span<const LatticePoint> points, double radius,
               double needed) const;
    void choose_radii(const Box& cell);
    ShellEdges shell_edges() const;
    void search(const PairPositions& now);
    void prune(const PairPositions& now);
    void make_chunks(const Box& cell);
    void divide();
    void shuffle(std::size_t chunk);
};

}  // namespace mdsim
