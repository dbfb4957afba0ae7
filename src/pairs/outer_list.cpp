// SPDX-License-Identifier: Apache-2.0
#include "pairs/outer_list.h"

#include <algorithm>
#include <cmath>

#include "core/arrays/resize_tightly.h"
#include "pairs/near_clusters.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr double lattice_unit = 1.0 / 4294967296.0;
constexpr std::uint64_t lower_triangle_free = 0x80c0e0f0f8fcfeULL;  // see diagonal_mask

// Pairs of rows of i and lanes of j, padding excepted: a padded slot lies on top of an atom of its cluster, so it may
// lie on top of an excluded partner of that atom, which would look like a pair that is too strong.
std::uint64_t mask_of_atoms(const Clusters& clusters, std::uint32_t i, std::uint32_t j) {
    std::uint64_t mask = ~0ULL;
    for (std::uint32_t k = 0; k < cluster_size; ++k) {
        if (!clusters.real(static_cast<std::size_t>(i) * cluster_size + k)) mask &= ~(0xffULL << (8 * k));
        if (!clusters.real(static_cast<std::size_t>(j) * cluster_size + k)) mask &= ~(0x0101010101010101ULL << k);
    }
    return mask;
}

// Pairs row < lane of a cluster with itself.
std::uint64_t diagonal_mask(const Clusters& clusters, std::uint32_t cluster) {
    return lower_triangle_free & mask_of_atoms(clusters, cluster, cluster);
}

// The search around one cluster after the other, with the scratch of one thread.
class Searcher {
  public:
    Searcher(const OuterSearch& search, const BoundsInVectors& bounds);
    void search_around(std::uint32_t i, OuterChunk& home, OuterChunk& halo);

  private:
    const OuterSearch& search_;
    const Clusters& clusters_;
    bool rectangular_;
    std::array<double, 3> height_{};  // [nm]
    std::array<double, 3> reach_{};   // of the radius, as a fraction of the box
    float radius2_;
    const BoundsInVectors& bounds_;
    unsigned one_image_ = 0;  // axes along which the two zones meet through one image only: bits as in `above`
    std::vector<NearCluster> near_;
    struct ColumnInReach {
        int column;  // not wrapped
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
    void search_zone(std::uint32_t i, const ClusterZone& zone);
    void search_column(std::uint32_t i, std::size_t column);
    void search_range(std::uint32_t i, std::uint32_t first, std::uint32_t last);
    std::size_t take_all(std::uint32_t first, std::uint32_t last);
    void add(std::uint32_t i, NearCluster near);
    std::uint64_t met_here(std::uint32_t i, NearCluster near) const;
    void flush(std::uint32_t i, OuterChunk& out);
    void find_columns(const ClusterBounds& b, const ClusterZone& zone, std::size_t axis);
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
        longest_ = std::max(longest_, b.z_high - b.z_low);
    }
}

// A home cluster meets those of its own zone, which is the first, and then the halo.
void Searcher::search_around(std::uint32_t i, OuterChunk& home, OuterChunk& halo) {
    collect_exclusions(i);
    for (const ClusterZone& zone : clusters_.zones()) {
        if (zone.last_cluster <= i || (zone.above & clusters_.bounds()[i].above) != 0) continue;
        search_zone(i, zone);
        if (zone.above == 0) flush(i, home);
    }
    flush(i, halo);
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
                at = exclusions_.insert(at, {j, mask_of_atoms(clusters_, i, j)});
            }
            at->mask &= ~(1ULL << (8 * row + other % cluster_size));
        }
    }
}

// Along an axis with one of the two above only the image counts by which it has come, and the gap is that on a line;
// else any, and it is that on the circle.
void Searcher::find_columns(const ClusterBounds& b, const ClusterZone& zone, std::size_t axis) {
    std::vector<ColumnInReach>& found = in_reach_[axis];
    found.clear();
    const int columns = clusters_.columns(axis);
    const bool line = (one_image_ >> axis & 1) != 0;
    const double half = b.half_extent[axis] * lattice_unit;
    const double center = b.center[axis] * lattice_unit + b.boxes[axis];
    const double width = 1.0 / columns;
    const auto take = [&](int first, int last) {
        last = std::min(last, zone.low[axis] + zone.count[axis] - 1);
        for (int k = std::max(first, zone.low[axis]); k <= last; ++k) {
            double d = std::abs(center - (k + 0.5) * width);
            if (!line) {
                d -= std::floor(d);
                d = std::min(d, 1.0 - d);
            }
            found.push_back({k, std::max(0.0, d - half - 0.5 * width - 1e-6) * height_[axis]});
        }
    };
    const int low = static_cast<int>(std::floor((center - half - reach_[axis]) * columns - 1e-6));
    const int high = static_cast<int>(std::floor((center + half + reach_[axis]) * columns + 1e-6));
    if (line) return take(low, high);
    if (high - low + 1 >= columns) return take(zone.low[axis], zone.low[axis] + zone.count[axis] - 1);
    for (const int image : {columns, 0, -columns}) take(low + image, high + image);
}

void Searcher::search_zone(std::uint32_t i, const ClusterZone& zone) {
    const ClusterBounds& b = clusters_.bounds()[i];
    one_image_ = b.above | zone.above;
    if (search_.all_pairs) return search_range(i, std::max(i, zone.first_cluster), zone.last_cluster);
    find_columns(b, zone, 0);
    if (in_reach_[0].empty()) return;
    find_columns(b, zone, 1);
    const auto first_of_column = clusters_.first_of_column();
    for (const ColumnInReach& x : in_reach_[0]) {
        const std::uint32_t row = zone.column(x.column, zone.low[1]);
        if (first_of_column[row + static_cast<std::uint32_t>(zone.count[1])] <= i) continue;
        for (const ColumnInReach& y : in_reach_[1]) {
            const std::uint32_t column = zone.column(x.column, y.column);
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
    const auto bounds = clusters_.bounds();
    const ClusterBounds& b = bounds[i];
    constexpr std::int64_t box = std::int64_t{1} << 32;
    const std::int64_t half =
        std::int64_t{b.half_extent[2]} + static_cast<std::int64_t>(std::ceil(reach_[2] * 4294967296.0)) + 2;
    if (2 * half + longest_ >= box) return search_range(i, first, last);
    const std::int64_t center = b.center[2] + b.boxes[2] * box;
    for (const std::int64_t image : {-box, std::int64_t{0}, box}) {
        if (image != 0 && (one_image_ >> 2 & 1) != 0) continue;
        const std::int64_t low = center + image - half, high = center + image + half;
        if (high < bounds[first].z_low || low > bounds[last - 1].z_high) continue;
        const auto begin = std::partition_point(bounds.begin() + first, bounds.begin() + last,
                                                [&](const ClusterBounds& c) { return c.z_high < low; });
        auto end = begin;
        while (end != bounds.begin() + last && end->z_low <= high) ++end;
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

// The pairs of the two clusters that meet through the images that are this rank's to compute.
std::uint64_t Searcher::met_here(std::uint32_t i, NearCluster near) const {
    std::uint64_t mask = ~0ULL;
    if (one_image_ == 0) return mask;
    const ClusterBounds &a = clusters_.bounds()[i], &b = clusters_.bounds()[near.cluster];
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if ((one_image_ >> axis & 1) == 0) continue;
        const int wanted = b.boxes[axis] - a.boxes[axis];
        if (near.shift != ambiguous_shift) {
            if (shift_of(near.shift)[static_cast<int>(axis)] != wanted) return 0;
            continue;
        }
        const auto of_axis = [axis](const ClusterPoints& p) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; };
        const std::uint32_t* const own = of_axis(clusters_.points()[i]);
        const std::uint32_t* const other = of_axis(clusters_.points()[near.cluster]);
        for (int k = 0; k < cluster_size * cluster_size; ++k) {
            const int image =
                image_along(own[k / cluster_size], a.center[axis], other[k % cluster_size], b.center[axis]);
            if (image != wanted) mask &= ~(1ULL << k);
        }
    }
    return mask;
}

void Searcher::add(std::uint32_t i, NearCluster near) {
    std::uint64_t mask = met_here(i, near);
    if (marked_by_[near.cluster] == i) {
        mask &= std::find_if(exclusions_.begin(), exclusions_.end(), [&](const MaskedPair& m) {
                    return m.cluster == near.cluster;
                })->mask;
    }
    if (mask == 0) return;
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

void clear(OuterChunk& chunk) {
    chunk.rows.clear();
    chunk.masked.clear();
    chunk.plain.clear();
}

// Lists are most of what a rank keeps in memory.
void trim_lists(OuterChunk& chunk) {
    trim(chunk.rows);
    trim(chunk.masked);
    trim(chunk.plain);
}

}  // namespace

void search_outer(const OuterSearch& search, std::vector<OuterChunk>& home, std::vector<OuterChunk>& halo) {
    const auto chunks_of = [](std::size_t clusters) { return (clusters + chunk_clusters - 1) / chunk_clusters; };
    const std::size_t clusters = search.clusters.size();
    home.resize(chunks_of(search.clusters.home()));
    halo.resize(chunks_of(clusters));
    const BoundsInVectors bounds(search.clusters, search.cell, search.radius);
    parallel_ranges(halo.size(), [&](int, std::size_t begin, std::size_t end) {
        Searcher searcher(search, bounds);
        OuterChunk none;
        for (std::size_t c = begin; c < end; ++c) {
            OuterChunk& of_home = c < home.size() ? home[c] : none;
            clear(of_home);
            clear(halo[c]);
            const std::size_t last = std::min(clusters, (c + 1) * chunk_clusters);
            for (std::size_t i = c * chunk_clusters; i < last; ++i) {
                searcher.search_around(static_cast<std::uint32_t>(i), of_home, halo[c]);
            }
            trim_lists(of_home);
            trim_lists(halo[c]);
        }
    });
}

}  // namespace mdsim
