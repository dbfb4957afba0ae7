// SPDX-License-Identifier: Apache-2.0
#include "pairs/outer_list.h"

#include <algorithm>
#include <cmath>

#include "pairs/near_clusters.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr double lattice_unit = 1.0 / 4294967296.0;
constexpr std::uint64_t lower_triangle_free = 0x80c0e0f0f8fcfeULL;  // see diagonal_mask

// Pairs row < lane of a cluster with itself, padding excepted (a padded slot lies on top of an atom).
std::uint64_t diagonal_mask(const Clusters& clusters, std::uint32_t cluster) {
    std::uint64_t mask = lower_triangle_free;
    for (std::uint32_t k = 0; k < cluster_size; ++k) {
        if (clusters.real(static_cast<std::size_t>(cluster) * cluster_size + k)) continue;
        mask &= ~(0xffULL << (8 * k));
        mask &= ~(0x0101010101010101ULL << k);
    }
    return mask;
}

// The search around one cluster after the other, with the scratch of one thread.
class Searcher {
  public:
    Searcher(const OuterSearch& search, const BoundsInVectors& bounds);
    void search_around(std::uint32_t i, OuterChunk& out);

  private:
    const OuterSearch& search_;
    const Clusters& clusters_;
    bool rectangular_;
    std::array<double, 3> height_{};  // [nm]
    std::array<double, 3> reach_{};   // of the radius, as a fraction of the box
    float radius2_;
    const BoundsInVectors& bounds_;
    std::vector<NearCluster> near_;
    struct ColumnInReach {
        int column;
        double gap;  // [nm]
    };
    std::array<std::vector<ColumnInReach>, 2> in_reach_;
    std::int64_t longest_ = 0;  // extent of a cluster along z
    std::vector<MaskedPair> exclusions_;
    std::vector<std::uint32_t> marked_by_;                           // the cluster in whose exclusions a cluster is
    std::vector<int> used_;                                          // shifts
    std::array<std::vector<std::uint32_t>, shift_count + 1> plain_;  // the last one: ambiguous_shift
    std::array<std::vector<MaskedPair>, shift_count + 1> masked_;

    void collect_exclusions(std::uint32_t i);
    void search_columns(std::uint32_t i);
    void search_column(std::uint32_t i, std::size_t column);
    void search_range(std::uint32_t i, std::uint32_t first, std::uint32_t last);
    std::size_t take_all(std::uint32_t first, std::uint32_t last);
    void add(std::uint32_t i, NearCluster near);
    void flush(std::uint32_t i, OuterChunk& out);
    void find_columns(const ClusterBounds& b, std::size_t axis, int columns);
};

Searcher::Searcher(const OuterSearch& search, const BoundsInVectors& bounds)
    : search_(search),
      clusters_(search.clusters),
      rectangular_(search.cell.rectangular()),
      radius2_(bounds.radius * bounds.radius),
      bounds_(bounds),
      marked_by_(clusters_.size(), UINT32_MAX) {
    const Vec3d heights = search.cell.heights();
    for (int a = 0; a < 3; ++a) {
        const auto k = static_cast<std::size_t>(a);
        height_[k] = heights[a];
        reach_[k] = search.all_pairs ? 1.0 : search.radius * 1.00001 / heights[a];
    }
    for (const ClusterBounds& b : clusters_.bounds()) {
        longest_ = std::max(longest_, std::int64_t{b.z_high} - std::int64_t{b.z_low});
    }
}

void Searcher::search_around(std::uint32_t i, OuterChunk& out) {
    collect_exclusions(i);
    if (search_.all_pairs) {
        search_range(i, i, static_cast<std::uint32_t>(clusters_.size()));
    } else {
        search_columns(i);
    }
    flush(i, out);
}

// The clusters that hold excluded partners of the atoms of i (and i itself), with the masks of what is left.
void Searcher::collect_exclusions(std::uint32_t i) {
    exclusions_.clear();
    exclusions_.push_back({i, diagonal_mask(clusters_, i)});
    marked_by_[i] = i;
    for (std::uint32_t row = 0; row < cluster_size; ++row) {
        const std::uint32_t slot = i * cluster_size + row;
        if (!clusters_.real(slot)) continue;
        for (const std::uint32_t partner : search_.exclusions.partners(clusters_.atoms()[slot])) {
            const std::uint32_t other = clusters_.slots()[partner];
            const std::uint32_t j = other / cluster_size;
            if (j < i) continue;
            auto at = std::find_if(exclusions_.begin(), exclusions_.end(),
                                   [&](const MaskedPair& m) { return m.cluster == j; });
            if (at == exclusions_.end()) {
                marked_by_[j] = i;
                at = exclusions_.insert(at, {j, ~0ULL});
            }
            at->mask &= ~(1ULL << (8 * row + other % cluster_size));
        }
    }
}

// The gap is that on the circle.
void Searcher::find_columns(const ClusterBounds& b, std::size_t axis, int columns) {
    std::vector<ColumnInReach>& found = in_reach_[axis];
    found.clear();
    const double half = b.half_extent[axis] * lattice_unit;
    const double center = b.center[axis] * lattice_unit;
    const double width = 1.0 / columns;
    int low = static_cast<int>(std::floor((center - half - reach_[axis]) * columns - 1e-6));
    int high = static_cast<int>(std::floor((center + half + reach_[axis]) * columns + 1e-6));
    if (high - low + 1 >= columns) {
        low = 0;
        high = columns - 1;
    }
    for (int k = low; k <= high; ++k) {
        const int column = k < 0 ? k + columns : k >= columns ? k - columns : k;
        double d = std::abs(center - (column + 0.5) * width);
        d = std::min(d, 1.0 - d) - half - 0.5 * width;
        found.push_back({column, std::max(0.0, d - 1e-6) * height_[axis]});
    }
}

void Searcher::search_columns(std::uint32_t i) {
    const ClusterBounds& b = clusters_.bounds()[i];
    const int ny = clusters_.columns_y();
    find_columns(b, 0, clusters_.columns_x());
    find_columns(b, 1, ny);
    const auto first_of_column = clusters_.first_of_column();
    for (const ColumnInReach& x : in_reach_[0]) {
        const std::size_t row = static_cast<std::size_t>(x.column) * static_cast<std::size_t>(ny);
        if (first_of_column[row + static_cast<std::size_t>(ny)] <= i) continue;
        for (const ColumnInReach& y : in_reach_[1]) {
            const std::size_t column = row + static_cast<std::size_t>(y.column);
            if (first_of_column[column + 1] <= i) continue;
            if (rectangular_ && x.gap * x.gap + y.gap * y.gap > static_cast<double>(radius2_)) continue;
            search_column(i, column);
        }
    }
}

// Clusters of a column lie one above the other, so those within reach along z are one range for every image of i.
void Searcher::search_column(std::uint32_t i, std::size_t column) {
    const std::uint32_t first = std::max(i, clusters_.first_of_column()[column]);
    const std::uint32_t last = clusters_.first_of_column()[column + 1];
    // One or two vectors are tested faster than they are searched.
    if (last - first <= 32) return search_range(i, first, last);
    const ClusterBounds& b = clusters_.bounds()[i];
    constexpr std::int64_t box = std::int64_t{1} << 32;
    const std::int64_t half =
        std::int64_t{b.half_extent[2]} + static_cast<std::int64_t>(std::ceil(reach_[2] * 4294967296.0)) + 2;
    if (2 * half + longest_ >= box) return search_range(i, first, last);
    const std::int64_t center = b.center[2];
    for (const std::int64_t image : {-box, std::int64_t{0}, box}) {
        const std::int64_t low = center + image - half, high = center + image + half;
        if (high < 0 || low >= box) continue;
        const auto bounds = clusters_.bounds();
        const auto begin = std::partition_point(bounds.begin() + first, bounds.begin() + last,
                                                [&](const ClusterBounds& c) { return std::int64_t{c.z_high} < low; });
        auto end = begin;
        while (end != bounds.begin() + last && std::int64_t{end->z_low} <= high) ++end;
        search_range(i, static_cast<std::uint32_t>(begin - bounds.begin()),
                     static_cast<std::uint32_t>(end - bounds.begin()));
    }
}

void Searcher::search_range(std::uint32_t i, std::uint32_t first, std::uint32_t last) {
    if (first >= last) return;
    if (near_.size() < last - first + near_padding) near_.resize(2 * (last - first) + near_padding);
    const std::size_t count =
        search_.all_pairs ? take_all(first, last) : find_near(bounds_, i, first, last, near_.data());
    for (std::size_t k = 0; k < count; ++k) add(i, near_[k]);
}

std::size_t Searcher::take_all(std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t j = first; j < last; ++j) near_[j - first] = {j, no_shift};
    return last - first;
}

void Searcher::add(std::uint32_t i, NearCluster near) {
    std::uint64_t mask = ~0ULL;
    if (marked_by_[near.cluster] == i) {
        mask = std::find_if(exclusions_.begin(), exclusions_.end(), [&](const MaskedPair& m) {
                   return m.cluster == near.cluster;
               })->mask;
        if (mask == 0) return;
    }
    const auto s = static_cast<std::size_t>(near.shift);
    if (plain_[s].empty() && masked_[s].empty()) used_.push_back(near.shift);
    if (mask != ~0ULL) {
        masked_[s].push_back({near.cluster, mask});
    } else {
        plain_[s].push_back(near.cluster);
    }
}

void Searcher::flush(std::uint32_t i, OuterChunk& out) {
    std::sort(used_.begin(), used_.end());
    for (const int shift : used_) {
        auto& plain = plain_[static_cast<std::size_t>(shift)];
        auto& masked = masked_[static_cast<std::size_t>(shift)];
        OuterRow row{.cluster = i, .shift = shift};
        row.masked_begin = static_cast<std::uint32_t>(out.masked.size());
        row.begin = static_cast<std::uint32_t>(out.plain.size());
        out.masked.insert(out.masked.end(), masked.begin(), masked.end());
        out.plain.insert(out.plain.end(), plain.begin(), plain.end());
        row.masked_end = static_cast<std::uint32_t>(out.masked.size());
        row.end = static_cast<std::uint32_t>(out.plain.size());
        out.rows.push_back(row);
        plain.clear();
        masked.clear();
    }
    used_.clear();
}

}  // namespace

void search_outer(const OuterSearch& search, std::vector<OuterChunk>& chunks) {
    const std::size_t clusters = search.clusters.size();
    chunks.resize((clusters + chunk_clusters - 1) / chunk_clusters);
    const BoundsInVectors bounds(search.clusters, search.cell, search.radius);
    parallel_ranges(chunks.size(), [&](int, std::size_t begin, std::size_t end) {
        Searcher searcher(search, bounds);
        for (std::size_t c = begin; c < end; ++c) {
            OuterChunk& chunk = chunks[c];
            chunk.rows.clear();
            chunk.masked.clear();
            chunk.plain.clear();
            const std::size_t last = std::min(clusters, (c + 1) * chunk_clusters);
            for (std::size_t i = c * chunk_clusters; i < last; ++i) {
                searcher.search_around(static_cast<std::uint32_t>(i), chunk);
            }
        }
    });
}

}  // namespace mdsim
