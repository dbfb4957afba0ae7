// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
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

/// Which pairs: those of home atoms, or those with atoms of the halo (none where nothing is shared).
enum class PairSet : std::size_t { home, halo };

/// The clusters that the pairs of a list are of, ascending.
struct ListClusters {
    std::size_t count = 0;
    std::vector<std::uint32_t> members;         ///< none where these are all that there are in the set
    std::vector<std::uint32_t> first_of_chunk;  ///< into members; extent: chunks + 1 where there are members

    std::size_t operator[](std::size_t k) const { return members.empty() ? k : members[k]; }
    /// The first one in a chunk or behind it.
    std::size_t first_in(std::size_t chunk) const {
        return members.empty() ? std::min(chunk * chunk_clusters, count) : first_of_chunk[chunk];
    }
};

/// The pairs of one set.
struct PairList {
    ListClusters clusters;
    std::vector<OuterChunk> outer;  ///< the list that `chunks` is pruned from
    std::vector<PairChunk> chunks;
    /// How many shells of its rows a cluster has to look through since the last gather; the others hold no pair within
    /// the cutoff. Extent: clusters.
    std::vector<unsigned char> shells;
    /// Chunks cut into one contiguous part a thread, with equal numbers of entries: the first chunk of each part, and
    /// one more.
    std::vector<std::size_t> parts;
    /// Of each part, which chunks of clusters its rows refer to; extent: chunks.
    std::vector<std::vector<unsigned char>> touched;
};

/// The pairs of clusters within reach of each other, on two levels: an outer list made by a search over the columns of
/// the box, and from it, pruned by exact distances, the list that kernels walk through.
///
/// No pair within the cutoff is ever missing. A pair outside of a list of radius R made earlier has come no nearer than
/// (1 - s) R - d1 - d2, where d1 and d2 are the two largest displacements of any atoms since then and s bounds the
/// strain of the box; as long as that is above the cutoff the list holds.
///
/// Where several ranks share the system, the halo has every atom within `reach` when it is made, and as long as no atom
/// has moved by more than `farthest_move` since then lists hold or can be pruned. A search is made with a new halo
/// only; until whoever makes it has found that atoms have moved farther, lists are pruned as they are and may lack
/// pairs. Home pairs ask for positions of home atoms alone.
class PairLists {
  public:
    enum class Condition { valid, prune, search };

    /// has_lj: per atom. All of them at home.
    PairLists(const PairListSettings& settings, ExclusionMap exclusions, std::vector<unsigned char> has_lj);
    /// Other atoms, for which a search is needed. The time comes with it from which on places are counted; zones.places
    /// must stay until that search.
    void assign(ExclusionMap exclusions, std::vector<unsigned char> has_lj, AtomZones zones);

    /// The outer radius: how near atoms may come to each other unnoticed by a search [nm]; infinity: all pairs. Throws
    /// Error (unstable, MD506) where the cell is too small for the cutoff.
    double reach(const Box& cell) const;
    /// How far atoms may move before a halo is made anew [nm].
    double farthest_move(const Box& cell) const;

    /// Whether the list may lack a pair at these positions. On one rank.
    Condition condition(const PairPositions& now) const;
    /// Whether it may not be used as it is. On several ranks: whether a new halo and a search are needed whatever the
    /// atoms have done, since the cell has changed too much or there has been no search yet; the same on all of them.
    bool expired(const PairPositions& now) const;
    /// Brings the list up to date: nothing, a pruning or a search. Throws Error (unstable, MD506) where the box is too
    /// small for the cutoff. True where anything was done.
    bool update(const PairPositions& now);
    /// The same for the pairs of one set; those of home atoms do not look at the positions of the halo.
    bool update(PairSet set, const PairPositions& now);
    /// A search, needed or not.
    void search_anew(const PairPositions& now);
    /// After update of this set with these positions: takes them into the clusters, those of home atoms or those of the
    /// halo as well.
    void gather(PairSet set, const PairPositions& now);

    const Clusters& clusters() const { return clusters_; }
    const PairList& list(PairSet set) const { return kept(set).list; }
    /// The number of atoms that the pairs of a set are of; home atoms come first.
    std::size_t atoms_of(PairSet set) const;
    bool has_halo() const { return clusters_.size() > clusters_.home(); }
    bool shared() const { return zones_.shared; }
    /// What `chunks` are pruned to [nm].
    double inner_radius() const { return radii_.inner; }
    /// Without a cutoff; there is no radius then.
    bool all_pairs() const;

    /// How often, since the start.
    std::int64_t searches() const { return searches_; }
    std::int64_t prunings() const { return prunings_; }

  private:
    struct Radii {
        double inner = 0.0, outer = 0.0;  // [nm]
    };
    struct Kept {
        PairList list;
        // When it was pruned; extents: the atoms and clusters that it is about. The atoms where moves_from_points().
        std::optional<Box> cell;
        std::vector<LatticePoint> points;
        std::vector<ClusterPoints> clusters;
    };

    PairListSettings settings_;
    ExclusionMap exclusions_;
    std::vector<unsigned char> has_lj_;
    AtomZones zones_;
    Clusters clusters_;
    std::vector<std::uint32_t> real_rows_;
    std::array<Kept, 2> kept_;
    Radii radii_;
    std::optional<Box> searched_cell_;
    std::size_t searched_atoms_ = 0;
    std::vector<LatticePoint> searched_points_;  // where moves_from_points()
    std::vector<float> moves_;                   // since the last pruning, of each cluster of a list [nm]
    std::vector<ClusterPoints> member_points_;
    std::int64_t searches_ = 0, prunings_ = 0;

    Kept& kept(PairSet set) { return kept_[static_cast<std::size_t>(set)]; }
    const Kept& kept(PairSet set) const { return kept_[static_cast<std::size_t>(set)]; }
    std::size_t clusters_of(PairSet set) const;
    bool lost(const PairPositions& now) const;
    Condition condition(PairSet set, const PairPositions& now) const;
    bool holds(const PairPositions& now, const Box& cell, std::span<const LatticePoint> points, double radius,
               double needed) const;
    bool moves_from_points() const { return !shared() || settings_.pruning == Pruning::on_device; }
    bool prune_if_moved(PairSet set, const PairPositions& now);
    void find_moves_of(PairSet set, const Box& cell);
    std::span<const ClusterPoints> points_of(PairSet set);
    void find_members(PairList& list) const;
    Radii choose_radii(const Box& cell) const;
    ShellEdges shell_edges() const;
    void gather_points(PairSet set, const PairPositions& now);
    void search(const PairPositions& now);
    void prune(PairSet set, const PairPositions& now);
    void make_chunks(PairList& list, const Box& cell) const;
    void shuffle(PairChunk& chunk, std::size_t number) const;
};

}  // namespace mdsim
