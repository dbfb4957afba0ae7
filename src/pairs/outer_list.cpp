// SPDX-License-Identifier: Apache-2.0
#include "pairs/outer_list.h"

#include <algorithm>
#include <cmath>

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
    explicit Searcher(const OuterSearch& search);
    void search_around(std::uint32_t i, OuterChunk& out);

  private:
    const OuterSearch& search_;
    const Clusters& clusters_;
    bool rectangular_;
    std::array<double, 3> height_{};      // [nm]
    std::array<double, 3> reach_{};       // of the radius, as a fraction of the box
    std::array<float, 3> nm_per_unit_{};  // of the heights
    std::array<std::int64_t, 3> drift_{};
    LatticeMetric<float> metric_;
    float radius_, radius2_;
    std::int64_t longest_ = 0;  // extent of a cluster along z
    std::vector<MaskedPair> exclusions_;
    std::vector<std::uint32_t> marked_by_;  // the cluster in whose exclusions a cluster is
    std::vector<int> used_;                 // shifts
    std::array<std::vector<std::uint32_t>, shift_count> plain_;
    std::array<std::vector<MaskedPair>, shift_count> masked_;

    void collect_exclusions(std::uint32_t i);
    void search_columns(std::uint32_t i, OuterChunk& out);
    void search_column(std::uint32_t i, std::size_t column, OuterChunk& out);
    void search_range(std::uint32_t i, std::uint32_t first, std::uint32_t last, OuterChunk& out);
    void consider(std::uint32_t i, std::uint32_t j, OuterChunk& out);
    bool near(const ClusterBounds& a, const ClusterBounds& b) const;
    bool ambiguous(const ClusterBounds& a, const ClusterBounds& b) const;
    void flush(std::uint32_t i, OuterChunk& out);
    /// Columns of an axis within reach: first and count, counted on past the last one.
    std::pair<int, int> columns_in_reach(const ClusterBounds& b, std::size_t axis, int columns) const;
};

Searcher::Searcher(const OuterSearch& search)
    : search_(search),
      clusters_(search.clusters),
      rectangular_(search.cell.rectangular()),
      metric_(search.cell),
      radius_(static_cast<float>(search.radius * 1.00001)),
      radius2_(radius_ * radius_),
      marked_by_(clusters_.size(), UINT32_MAX) {
    const Vec3d heights = search.cell.heights();
    for (int a = 0; a < 3; ++a) {
        const auto k = static_cast<std::size_t>(a);
        height_[k] = heights[a];
        reach_[k] = search.all_pairs ? 1.0 : search.radius * 1.00001 / heights[a];
        nm_per_unit_[k] = static_cast<float>(heights[a] * lattice_unit);
        drift_[k] = search.all_pairs ? 0 : static_cast<std::int64_t>(search.drift * 1.01 / heights[a] / lattice_unit);
    }
    for (const ClusterBounds& b : clusters_.bounds()) {
        longest_ = std::max(longest_, std::int64_t{b.z_high} - std::int64_t{b.z_low});
    }
}

void Searcher::search_around(std::uint32_t i, OuterChunk& out) {
    collect_exclusions(i);
    if (search_.all_pairs) {
        search_range(i, i, static_cast<std::uint32_t>(clusters_.size()), out);
    } else {
        search_columns(i, out);
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

std::pair<int, int> Searcher::columns_in_reach(const ClusterBounds& b, std::size_t axis, int columns) const {
    const double half = b.half_extent[axis] * lattice_unit + reach_[axis];
    const double center = b.center[axis] * lattice_unit;
    const int low = static_cast<int>(std::floor((center - half) * columns - 1e-6));
    const int high = static_cast<int>(std::floor((center + half) * columns + 1e-6));
    if (high - low + 1 >= columns) return {0, columns};
    return {(low % columns + columns) % columns, high - low + 1};
}

void Searcher::search_columns(std::uint32_t i, OuterChunk& out) {
    const ClusterBounds& b = clusters_.bounds()[i];
    const int nx = clusters_.columns_x(), ny = clusters_.columns_y();
    const auto [x_first, x_count] = columns_in_reach(b, 0, nx);
    const auto [y_first, y_count] = columns_in_reach(b, 1, ny);
    // The gap between the cluster and a column along one axis, on the circle [nm].
    const auto gap = [&](std::size_t axis, int column, int columns) {
        double d = std::abs(b.center[axis] * lattice_unit - (column + 0.5) / columns);
        d = std::min(d, 1.0 - d) - b.half_extent[axis] * lattice_unit - 0.5 / columns;
        return std::max(0.0, d - 1e-6) * height_[axis];
    };
    for (int kx = 0; kx < x_count; ++kx) {
        const int x = (x_first + kx) % nx;
        const double gap_x = gap(0, x, nx);
        for (int ky = 0; ky < y_count; ++ky) {
            const int y = (y_first + ky) % ny;
            const std::size_t column =
                static_cast<std::size_t>(x) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(y);
            if (clusters_.first_of_column()[column + 1] <= i) continue;
            const double gap_y = gap(1, y, ny);
            if (rectangular_ && gap_x * gap_x + gap_y * gap_y > static_cast<double>(radius2_)) continue;
            search_column(i, column, out);
        }
    }
}

// Clusters of a column lie one above the other, so those within reach along z are one range for every image of i.
void Searcher::search_column(std::uint32_t i, std::size_t column, OuterChunk& out) {
    const std::uint32_t first = std::max(i, clusters_.first_of_column()[column]);
    const std::uint32_t last = clusters_.first_of_column()[column + 1];
    const ClusterBounds& b = clusters_.bounds()[i];
    constexpr std::int64_t box = std::int64_t{1} << 32;
    const std::int64_t half =
        std::int64_t{b.half_extent[2]} + static_cast<std::int64_t>(std::ceil(reach_[2] * 4294967296.0)) + 2;
    if (2 * half + longest_ >= box) return search_range(i, first, last, out);
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
                     static_cast<std::uint32_t>(end - bounds.begin()), out);
    }
}

void Searcher::search_range(std::uint32_t i, std::uint32_t first, std::uint32_t last, OuterChunk& out) {
    const ClusterBounds& b = clusters_.bounds()[i];
    for (std::uint32_t j = first; j < last; ++j) {
        if (near(b, clusters_.bounds()[j])) consider(i, j, out);
    }
}

// A lower bound of the distance of two clusters against the radius. The gap along an axis is that of two arcs on a
// circle, so it holds for the nearest of all images.
bool Searcher::near(const ClusterBounds& a, const ClusterBounds& b) const {
    if (search_.all_pairs) return true;
    float gap[3];
    bool one_image = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto d = static_cast<std::int64_t>(
            std::abs(static_cast<std::int64_t>(lattice_difference(a.center[k], b.center[k]))));
        const std::int64_t extents = std::int64_t{a.half_extent[k]} + std::int64_t{b.half_extent[k]};
        gap[k] = static_cast<float>(std::max<std::int64_t>(0, d - extents)) * nm_per_unit_[k];
        one_image = one_image && static_cast<double>(extents) * lattice_unit + reach_[k] < 0.5;
    }
    if (rectangular_) return gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2] <= radius2_;
    if (std::max({gap[0], gap[1], gap[2]}) > radius_) return false;
    if (!one_image) return true;
    const auto dx = static_cast<float>(lattice_difference(a.center[0], b.center[0]));
    const auto dy = static_cast<float>(lattice_difference(a.center[1], b.center[1]));
    const auto dz = static_cast<float>(lattice_difference(a.center[2], b.center[2]));
    const float x = dx * metric_.xx + dy * metric_.yx + dz * metric_.zx;
    const float y = dy * metric_.yy + dz * metric_.zy;
    const float z = dz * metric_.zz;
    const float reach = radius_ + a.radius + b.radius;
    return x * x + y * y + z * z <= reach * reach;
}

// Whether atoms of the two, wherever they drift before the next search, could be nearest through another image than
// the anchors are.
bool Searcher::ambiguous(const ClusterBounds& a, const ClusterBounds& b) const {
    constexpr std::int64_t half_box = std::int64_t{1} << 31;
    for (std::size_t k = 0; k < 3; ++k) {
        const std::int64_t d = std::abs(static_cast<std::int64_t>(lattice_difference(a.anchor[k], b.anchor[k])));
        if (d + std::int64_t{a.reach[k]} + std::int64_t{b.reach[k]} + drift_[k] >= half_box) return true;
    }
    return false;
}

void Searcher::consider(std::uint32_t i, std::uint32_t j, OuterChunk& out) {
    const ClusterBounds& a = clusters_.bounds()[i];
    const ClusterBounds& b = clusters_.bounds()[j];
    std::uint64_t mask = ~0ULL;
    if (marked_by_[j] == i) {
        mask = std::find_if(exclusions_.begin(), exclusions_.end(), [&](const MaskedPair& m) {
                   return m.cluster == j;
               })->mask;
        if (mask == 0) return;
    }
    if (ambiguous(a, b)) {
        out.ambiguous.push_back({i, j, mask});
        return;
    }
    const auto image = [&](std::size_t k) { return image_along(a.anchor[k], a.anchor[k], b.anchor[k], b.anchor[k]); };
    const int shift = shift_code(image(0), image(1), image(2));
    const auto s = static_cast<std::size_t>(shift);
    if (plain_[s].empty() && masked_[s].empty()) used_.push_back(shift);
    if (mask != ~0ULL) {
        masked_[s].push_back({j, mask});
    } else {
        plain_[s].push_back(j);
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
    parallel_ranges(chunks.size(), [&](int, std::size_t begin, std::size_t end) {
        Searcher searcher(search);
        for (std::size_t c = begin; c < end; ++c) {
            OuterChunk& chunk = chunks[c];
            chunk.rows.clear();
            chunk.masked.clear();
            chunk.plain.clear();
            chunk.ambiguous.clear();
            const std::size_t last = std::min(clusters, (c + 1) * chunk_clusters);
            for (std::size_t i = c * chunk_clusters; i < last; ++i) {
                searcher.search_around(static_cast<std::uint32_t>(i), chunk);
            }
        }
    });
}

}  // namespace mdsim
