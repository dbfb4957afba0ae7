// SPDX-License-Identifier: Apache-2.0
#include "pairs/clusters.h"

#include <algorithm>
#include <cmath>

#include "parallel/threads.h"

namespace mdsim {

namespace {

std::uint32_t column_along(std::uint32_t fraction, int columns) {
    return static_cast<std::uint32_t>((static_cast<std::uint64_t>(fraction) * static_cast<std::uint64_t>(columns)) >>
                                      32);
}

}  // namespace

void Clusters::build(const Box& cell, std::span<const LatticePoint> points, std::span<const unsigned char> has_lj) {
    const std::size_t n = points.size();
    const double density = std::max<double>(1.0, static_cast<double>(n)) / cell.volume();
    const double edge = std::cbrt(cluster_size / density);
    const Vec3d heights = cell.heights();
    columns_x_ = std::clamp(static_cast<int>(std::lround(heights.x / edge)), 1, 4096);
    columns_y_ = std::clamp(static_cast<int>(std::lround(heights.y / edge)), 1, 4096);
    sort_into_columns(points);

    const std::size_t columns = first_atom_.size() - 1;
    first_cluster_.assign(columns + 1, 0);
    for (std::size_t c = 0; c < columns; ++c) {
        const std::uint32_t atoms = first_atom_[c + 1] - first_atom_[c];
        first_cluster_[c + 1] = first_cluster_[c] + (atoms + cluster_size - 1) / cluster_size;
    }
    const std::size_t clusters = first_cluster_.back();
    atoms_.resize(clusters * cluster_size);
    slots_.resize(n);
    points_.resize(clusters);
    bounds_.resize(clusters);
    lj_rows_.resize(2 * clusters);
    parallel_ranges(columns, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) fill_column(c, has_lj);
    });
    gather(points);
    const LatticeMetric<float> metric(cell);
    parallel_ranges(clusters, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) set_bounds(metric, c);
    });
}

// A counting sort: threads count and place contiguous ranges of atoms, so that a column has its atoms in input order
// for any number of threads; then each column is sorted along z (and by atom among equals).
void Clusters::sort_into_columns(std::span<const LatticePoint> points) {
    const std::size_t columns = static_cast<std::size_t>(columns_x_) * static_cast<std::size_t>(columns_y_);
    const auto column_of = [&](const LatticePoint& p) {
        return column_along(p.x, columns_x_) * static_cast<std::uint32_t>(columns_y_) + column_along(p.y, columns_y_);
    };
    std::vector<std::vector<std::uint32_t>> next(static_cast<std::size_t>(thread_count()),
                                                 std::vector<std::uint32_t>(columns, 0));
    parallel_ranges(points.size(), [&](int thread, std::size_t begin, std::size_t end) {
        auto& count = next[static_cast<std::size_t>(thread)];
        for (std::size_t i = begin; i < end; ++i) ++count[column_of(points[i])];
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
    sorted_.resize(points.size());
    parallel_ranges(points.size(), [&](int thread, std::size_t begin, std::size_t end) {
        auto& place = next[static_cast<std::size_t>(thread)];
        for (std::size_t i = begin; i < end; ++i) {
            sorted_[place[column_of(points[i])]++] = static_cast<std::uint64_t>(points[i].z) << 32 | i;
        }
    });
    parallel_ranges(columns, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            std::sort(sorted_.begin() + first_atom_[c], sorted_.begin() + first_atom_[c + 1]);
        }
    });
}

void Clusters::fill_column(std::size_t column, std::span<const unsigned char> has_lj) {
    std::uint32_t cluster = first_cluster_[column];
    const std::uint32_t last = first_atom_[column + 1];
    for (std::uint32_t first = first_atom_[column]; first < last; first += cluster_size, ++cluster) {
        const std::uint32_t count = std::min<std::uint32_t>(cluster_size, last - first);
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
        bounds_[cluster].z_low = static_cast<std::uint32_t>(sorted_[first] >> 32);
        bounds_[cluster].z_high = static_cast<std::uint32_t>(sorted_[first + count - 1] >> 32);
    }
}

void Clusters::gather(std::span<const LatticePoint> points) {
    parallel_ranges(points_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
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

void Clusters::set_bounds(const LatticeMetric<float>& metric, std::size_t cluster) {
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
