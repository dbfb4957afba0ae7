// SPDX-License-Identifier: Apache-2.0
#include "pairs/clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/arrays/resize_tightly.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// Coordinates are good to 2^-32 of the box; those of a halo are kept in fewer bits where only the order matters.
constexpr int shared_height_shift = 2;
// Where the image of a cluster matters, it must be far smaller than half the box.
constexpr int least_shared_columns = 4;
// So many clusters before its turn an atom is fetched.
constexpr std::size_t clusters_ahead = 8;
constexpr std::uint64_t longest_shared_cluster = std::uint64_t{1} << (30 - shared_height_shift);

struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();
    void add(std::int64_t value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    void add(const Range& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
};
/// Columns along x and y, and coordinates along z.
using ZoneRange = std::array<Range, 3>;

}  // namespace

/// The atoms while they are sorted.
struct Clusters::Places {
    std::span<const LatticePoint> points;
    const AtomZones& zones;
    std::array<int, 2> columns;
    std::array<std::uint8_t, 8> zone_of{};  // what is above -> number of the zone

    bool shared() const { return zones.shared; }
    std::uint8_t above(std::size_t i) const { return shared() ? zones.above[i] : std::uint8_t{0}; }
    /// Not wrapped.
    std::int64_t whole(std::size_t i, int axis) const {
        const LatticePoint& p = points[i];
        const std::uint32_t now = axis == 0 ? p.x : axis == 1 ? p.y : p.z;
        if (!shared()) return now;
        const std::int64_t before = zones.places[i][axis];
        return before + lattice_difference(now, static_cast<std::uint32_t>(before));
    }
    int column(std::size_t i, int axis) const {
        return static_cast<int>((whole(i, axis) * columns[static_cast<std::size_t>(axis)]) >> 32);
    }
    int height_shift() const { return shared() ? shared_height_shift : 0; }
};

void Clusters::build(const Box& cell, std::span<const LatticePoint> points, std::span<const unsigned char> has_lj,
                     const AtomZones& zones) {
    choose_columns(cell, zones);
    Places places{points, zones, columns_};
    find_zones(places);
    for (std::size_t z = 0; z < zones_.size(); ++z) places.zone_of[zones_[z].above] = static_cast<std::uint8_t>(z);
    sort_into_columns(places);
    cut_columns(places);
    const std::size_t clusters = first_cluster_.back();
    resize_tightly(atoms_, clusters * cluster_size);
    resize_tightly(slots_, points.size());
    resize_tightly(points_, clusters);
    resize_tightly(bounds_, clusters);
    resize_tightly(lj_rows_, 2 * clusters);
    for (const ClusterZone& zone : zones_) {
        parallel_ranges(zone.columns(), [&](int, std::size_t begin, std::size_t end) {
            for (std::size_t c = begin; c < end; ++c) fill_column(zone, zone.first_column + c, places, has_lj);
        });
    }
    gather(points, 0, clusters);
    const LatticeMetric<float> metric(cell);
    parallel_ranges(clusters, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            if (places.shared()) {
                const std::size_t soon = std::min(c + clusters_ahead, clusters - 1) * cluster_size;
                __builtin_prefetch(&places.zones.places[atoms_[soon]]);
            }
            set_bounds(metric, c, places);
        }
    });
}

// As wide as clusters are high, on average over all ranks.
void Clusters::choose_columns(const Box& cell, const AtomZones& zones) {
    const double density = std::max<double>(1.0, static_cast<double>(zones.all)) / cell.volume();
    const double edge = std::cbrt(cluster_size / density);
    const Vec3d heights = cell.heights();
    const int least = zones.shared ? least_shared_columns : 1;
    columns_[0] = std::clamp(static_cast<int>(std::lround(heights.x / edge)), least, 4096);
    columns_[1] = std::clamp(static_cast<int>(std::lround(heights.y / edge)), least, 4096);
}

// Alone, the home zone is the box; otherwise zones have the columns that their atoms need.
void Clusters::find_zones(const Places& places) {
    zones_.clear();
    if (!places.shared()) {
        zones_.push_back({.above = 0, .low = {0, 0}, .count = columns_});
        return;
    }
    std::vector<std::array<ZoneRange, 8>> of_thread(static_cast<std::size_t>(thread_count()));
    parallel_ranges(places.points.size(), [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            ZoneRange& range = of_thread[static_cast<std::size_t>(thread)][places.above(i)];
            range[0].add(places.column(i, 0));
            range[1].add(places.column(i, 1));
            range[2].add(places.whole(i, 2));
        }
    });
    std::uint32_t column = 0;
    for (std::size_t above = 0; above < 8; ++above) {
        ZoneRange range;
        for (const auto& ranges : of_thread) {
            for (std::size_t k = 0; k < 3; ++k) range[k].add(ranges[above][k]);
        }
        if (range[0].low > range[0].high) continue;
        ClusterZone zone{.above = static_cast<std::uint8_t>(above), .z_low = range[2].low, .first_column = column};
        for (std::size_t k = 0; k < 2; ++k) {
            zone.low[k] = static_cast<int>(range[k].low);
            zone.count[k] = static_cast<int>(range[k].high - range[k].low) + 1;
        }
        column += zone.columns();
        zones_.push_back(zone);
    }
}

// A counting sort: threads count and place contiguous ranges of atoms, so that a column has its atoms in input order
// for any number of threads; then each column is sorted along z (and by atom among equals).
void Clusters::sort_into_columns(const Places& places) {
    const std::size_t atoms = places.points.size();
    const std::size_t columns = zones_.empty() ? 0 : zones_.back().first_column + zones_.back().columns();
    const auto zone_of = [&](std::size_t i) -> const ClusterZone& { return zones_[places.zone_of[places.above(i)]]; };
    const auto column_of = [&](std::size_t i) { return zone_of(i).column(places.column(i, 0), places.column(i, 1)); };
    std::vector<std::vector<std::uint32_t>> next(static_cast<std::size_t>(thread_count()),
                                                 std::vector<std::uint32_t>(columns, 0));
    parallel_ranges(atoms, [&](int thread, std::size_t begin, std::size_t end) {
        auto& count = next[static_cast<std::size_t>(thread)];
        for (std::size_t i = begin; i < end; ++i) ++count[column_of(i)];
    });
    first_atom_.assign(columns + 1, 0);
    std::uint32_t sum = 0;
    for (std::size_t c = 0; c < columns; ++c) {
        first_atom_[c] = sum;
        for (auto& count : next) {
            const std::uint32_t own = count[c];
            count[c] = sum;
            sum += own;
        }
    }
    first_atom_[columns] = sum;
    resize_tightly(sorted_, atoms);
    parallel_ranges(atoms, [&](int thread, std::size_t begin, std::size_t end) {
        auto& place = next[static_cast<std::size_t>(thread)];
        for (std::size_t i = begin; i < end; ++i) {
            const auto height = static_cast<std::uint64_t>(places.whole(i, 2) - zone_of(i).z_low);
            sorted_[place[column_of(i)]++] = (height >> places.height_shift()) << 32 | i;
        }
    });
    parallel_ranges(columns, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            std::sort(sorted_.begin() + first_atom_[c], sorted_.begin() + first_atom_[c + 1]);
        }
    });
}

// The end of the cluster that begins with `first` in a column that ends with `last`.
std::uint32_t Clusters::cut(std::uint32_t first, std::uint32_t last, const Places& places) const {
    std::uint32_t end = std::min(first + cluster_size, last);
    if (!places.shared()) return end;
    while ((sorted_[end - 1] >> 32) - (sorted_[first] >> 32) > longest_shared_cluster) --end;
    return end;
}

void Clusters::cut_columns(const Places& places) {
    const std::size_t columns = first_atom_.size() - 1;
    first_cluster_.assign(columns + 1, 0);
    for (std::size_t c = 0; c < columns; ++c) {
        std::uint32_t clusters = first_cluster_[c];
        for (std::uint32_t k = first_atom_[c]; k < first_atom_[c + 1]; ++clusters) {
            k = cut(k, first_atom_[c + 1], places);
        }
        first_cluster_[c + 1] = clusters;
    }
    home_ = 0;
    for (ClusterZone& zone : zones_) {
        zone.first_cluster = first_cluster_[zone.first_column];
        zone.last_cluster = first_cluster_[zone.first_column + zone.columns()];
        if (zone.above == 0) home_ = zone.last_cluster;
    }
}

void Clusters::fill_column(const ClusterZone& zone, std::size_t column, const Places& places,
                           std::span<const unsigned char> has_lj) {
    std::uint32_t cluster = first_cluster_[column];
    const std::uint32_t last = first_atom_[column + 1];
    for (std::uint32_t first = first_atom_[column]; first < last; ++cluster) {
        const std::uint32_t count = cut(first, last, places) - first;
        std::uint32_t* const place = &atoms_[static_cast<std::size_t>(cluster) * cluster_size];
        for (std::uint32_t k = 0; k < count; ++k) place[k] = static_cast<std::uint32_t>(sorted_[first + k]);
        for (std::uint32_t half = 0; half < 2; ++half) {
            const std::uint32_t begin = std::min(count, half * group_rows);
            const std::uint32_t end = std::min(count, begin + group_rows);
            const auto middle = std::stable_partition(place + begin, place + end,
                                                      [&](std::uint32_t atom) { return has_lj[atom] != 0; });
            const auto rows = static_cast<std::uint32_t>(middle - (place + begin));
            lj_rows_[2 * static_cast<std::size_t>(cluster) + half] = static_cast<unsigned char>((rows + 1) / 2 * 2);
        }
        for (std::uint32_t k = 0; k < count; ++k) slots_[place[k]] = cluster * cluster_size + k;
        for (std::uint32_t k = count; k < cluster_size; ++k) place[k] = place[count - 1];
        ClusterBounds& b = bounds_[cluster];
        const int shift = places.height_shift();
        const auto height = [&](std::uint32_t k) { return static_cast<std::int64_t>(sorted_[k] >> 32 << shift); };
        b.z_low = zone.z_low + height(first);
        b.z_high = zone.z_low + height(first + count - 1) + (std::int64_t{1} << shift) - 1;
        b.above = zone.above;
        first += count;
    }
}

void Clusters::gather(std::span<const LatticePoint> points, std::size_t first, std::size_t last) {
    parallel_ranges(last - first, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = first + begin; c < first + end; ++c) {
            ClusterPoints& to = points_[c];
            for (std::size_t k = 0; k < cluster_size; ++k) {
                const LatticePoint& p = points[atoms_[c * cluster_size + k]];
                to.x[k] = p.x;
                to.y[k] = p.y;
                to.z[k] = p.z;
            }
        }
    });
}

void Clusters::set_bounds(const LatticeMetric<float>& metric, std::size_t cluster, const Places& places) {
    const ClusterPoints& p = points_[cluster];
    ClusterBounds& b = bounds_[cluster];
    const std::uint32_t* const axes[3] = {p.x, p.y, p.z};
    for (std::size_t a = 0; a < 3; ++a) {
        const std::uint32_t first = axes[a][0];
        std::int64_t low = 0, high = 0;
        for (int k = 1; k < cluster_size; ++k) {
            const std::int64_t d = lattice_difference(axes[a][k], first);
            low = std::min(low, d);
            high = std::max(high, d);
        }
        b.center[a] = static_cast<std::uint32_t>(first + static_cast<std::uint64_t>((low + high) / 2));
        b.half_extent[a] = static_cast<std::uint32_t>((high - low) / 2 + 1);
        b.boxes[a] = 0;
        if (places.shared()) {
            const std::int64_t whole = places.whole(atoms_[cluster * cluster_size], static_cast<int>(a));
            b.boxes[a] = static_cast<std::int8_t>((whole + (low + high) / 2) >> 32);
        }
    }
    float largest = 0.0f;
    for (int k = 0; k < cluster_size; ++k) {
        const auto dx = static_cast<float>(lattice_difference(p.x[k], b.center[0]));
        const auto dy = static_cast<float>(lattice_difference(p.y[k], b.center[1]));
        const auto dz = static_cast<float>(lattice_difference(p.z[k], b.center[2]));
        const float x = dx * metric.xx + dy * metric.yx + dz * metric.zx;
        const float y = dy * metric.yy + dz * metric.zy;
        const float z = dz * metric.zz;
        largest = std::max(largest, x * x + y * y + z * z);
    }
    b.radius = std::sqrt(largest) * 1.00001f;
}

}  // namespace mdsim
