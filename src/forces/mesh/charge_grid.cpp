// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/charge_grid.h"

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "forces/mesh/window.h"
#include "physics/mesh_window.h"

namespace mdsim::mesh {

using physics::mesh_fraction;
using physics::mesh_node;

template <class Real>
ChargeGrid<Real>::ChargeGrid(std::array<int, 3> n, const Window& window, std::span<const double> charges)
    : n_(n), window_(window), order_(window.order), row_(round_up(n[2] + row_width(order_) - 1, 16)) {
    MDSIM_EXPECT(order_ >= smallest_order && order_ <= largest_order);
    MDSIM_EXPECT(*std::min_element(n.begin(), n.end()) >= 8);
    plane_ = static_cast<std::size_t>(n[1]) * static_cast<std::size_t>(row_);
    mesh_.resize(static_cast<std::size_t>(n[0]) * plane_ * sizeof(Real));
    MDSIM_EXPECT(plane_ < (std::size_t{1} << 31));
    for (int y = 0; y < n[1] + order_ - 1; ++y) rows_.push_back(y % n[1] * row_);
    for (int x = 0; x < n[0] + order_ - 1; ++x) {
        potential_planes_.push_back(reals() + static_cast<std::size_t>(x % n[0]) * plane_);
    }
    for (std::size_t i = 0; i < charges.size(); ++i) {
        if (charges[i] == 0.0) continue;
        charged_.push_back(static_cast<std::uint32_t>(i));
        charge_.push_back(static_cast<Real>(charges[i]));
    }
    const std::size_t padded = charged_.size() + atom_batch;
    for (auto* column : {&sorted_.x, &sorted_.y, &sorted_.z}) column->resize(padded);
    for (auto* column : {&sorted_.tx, &sorted_.ty, &sorted_.tz, &sorted_.q}) column->resize(padded);
    sorted_.atom.resize(padded);
}

template <class Real>
MeshAtoms<Real> ChargeGrid<Real>::atoms(std::size_t begin, std::size_t end) const {
    const Sorted& s = sorted_;
    return {static_cast<int>(end - begin), s.x.data() + begin,  s.y.data() + begin,  s.z.data() + begin,
            s.tx.data() + begin,           s.ty.data() + begin, s.tz.data() + begin, s.q.data() + begin};
}

// A counting sort by plane: each part of the atoms counts its planes, then puts its atoms where those of earlier
// planes and earlier parts end.
template <class Real>
void ChargeGrid<Real>::sort(std::span<const LatticePoint> points) {
    const std::size_t parts = static_cast<std::size_t>(thread_count()), atoms = charged_.size();
    const auto planes = static_cast<std::size_t>(n_[0]);
    std::vector<std::vector<std::int32_t>> next(parts);
    const auto range = [&](std::size_t part) { return atoms * part / parts; };
    parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            next[part].assign(planes, 0);
            for (std::size_t i = range(part); i < range(part + 1); ++i) {
                ++next[part][static_cast<std::size_t>(mesh_node(points[charged_[i]].x, n_[0]))];
            }
        }
    });
    first_.assign(1, 0);
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < planes; ++p) {
        for (auto& counts : next) sum += std::exchange(counts[p], sum);
        first_.push_back(sum);
    }
    parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            for (std::size_t i = range(part); i < range(part + 1); ++i) {
                const LatticePoint& u = points[charged_[i]];
                const std::int32_t x = mesh_node(u.x, n_[0]);
                const auto to = static_cast<std::size_t>(next[part][static_cast<std::size_t>(x)]++);
                sorted_.x[to] = x;
                sorted_.y[to] = mesh_node(u.y, n_[1]);
                sorted_.z[to] = mesh_node(u.z, n_[2]);
                sorted_.tx[to] = mesh_fraction<Real>(u.x, n_[0]);
                sorted_.ty[to] = mesh_fraction<Real>(u.y, n_[1]);
                sorted_.tz[to] = mesh_fraction<Real>(u.z, n_[2]);
                sorted_.q[to] = charge_[i];
                sorted_.atom[to] = charged_[i];
            }
        }
    });
}

template <class Real>
void ChargeGrid<Real>::cut_into_slabs() {
    slabs_.resize(static_cast<std::size_t>(thread_count()));
    const std::size_t atoms = charged_.size();
    int begin = 0;
    for (std::size_t s = 0; s < slabs_.size(); ++s) {
        const auto share = static_cast<std::int32_t>(atoms * (s + 1) / slabs_.size());
        int end = begin;
        while (end < n_[0] && first_[static_cast<std::size_t>(end)] < share) ++end;
        if (s + 1 == slabs_.size()) end = n_[0];
        slabs_[s].begin = begin;
        slabs_[s].end = begin = end;
    }
}

template <class Real>
void ChargeGrid<Real>::spread_slab(Slab& slab) {
    const int planes = slab.end - slab.begin;
    if (planes == 0) return;
    const bool whole = planes == n_[0];
    if (!whole) slab.halo.assign(static_cast<std::size_t>(order_ - 1) * plane_, 0);
    std::fill_n(integers() + static_cast<std::size_t>(slab.begin) * plane_, static_cast<std::size_t>(planes) * plane_,
                Integer{0});
    slab.planes.clear();
    for (int x = 0; x < planes + order_ - 1; ++x) {
        const bool inside = x < planes || whole;
        Integer* base = inside ? integers() : slab.halo.data();
        const int p = inside ? (slab.begin + x) % n_[0] : x - planes;
        slab.planes.push_back(base + static_cast<std::size_t>(p) * plane_);
    }
    const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(slab.begin)]);
    const auto last = static_cast<std::size_t>(first_[static_cast<std::size_t>(slab.end)]);
    mesh::spread<Real>(window_, atoms(first, last), {slab.planes.data(), slab.begin, rows_.data()});
}

template <class Real>
void ChargeGrid<Real>::add_halos(int plane) {
    Integer* to = integers() + static_cast<std::size_t>(plane) * plane_;
    for (const Slab& slab : slabs_) {
        if (slab.begin == slab.end || slab.end - slab.begin == n_[0]) continue;
        for (int h = 0; h < order_ - 1; ++h) {
            if ((slab.end + h) % n_[0] != plane) continue;
            const Integer* from = slab.halo.data() + static_cast<std::size_t>(h) * plane_;
            for (std::size_t i = 0; i < plane_; ++i) to[i] += from[i];
        }
    }
}

template <class Real>
void ChargeGrid<Real>::spread(std::span<const LatticePoint> points) {
    overloaded_ = false;
    sort(points);
    cut_into_slabs();
    parallel_ranges(slabs_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) spread_slab(slabs_[s]);
    });
    if (slabs_.size() == 1) return;
    parallel_ranges(static_cast<std::size_t>(n_[0]), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t x = begin; x < end; ++x) add_halos(static_cast<int>(x));
    });
}

template <class Real>
void ChargeGrid<Real>::load(int y, int z0, Real* lines) {
    constexpr int chunk = Fft3d<Real>::chunk;
    const int fold = z0 == 0 ? order_ - 1 : 0;
    Integer seen = 0;
    for (int x = 0; x < n_[0]; ++x) {
        const Integer* row = integers() + static_cast<std::size_t>(x) * plane_ +
                             static_cast<std::size_t>(y) * static_cast<std::size_t>(row_);
        Integer values[chunk];
        std::copy_n(row + z0, chunk, values);
        for (int j = 0; j < fold; ++j) values[j] += row[n_[2] + j];
        for (int j = n_[2] - z0; j < chunk; ++j) values[j] = 0;
        for (int l = 0; l < chunk; ++l) {
            seen |= values[l] ^ (values[l] >> (8 * sizeof(Integer) - 1));
            lines[x * chunk + l] = static_cast<Real>(values[l]);
        }
    }
    if ((seen >> (charge_bits<Real> + 6)) != 0) overloaded_.store(true, std::memory_order_relaxed);
}

template <class Real>
void ChargeGrid<Real>::store(int y, int z0, const Real* lines) {
    constexpr int chunk = Fft3d<Real>::chunk;
    const bool last = z0 + chunk >= n_[2];
    for (int x = 0; x < n_[0]; ++x) {
        Real* row = reals() + static_cast<std::size_t>(x) * plane_ +
                    static_cast<std::size_t>(y) * static_cast<std::size_t>(row_);
        std::copy_n(lines + x * chunk, chunk, row + z0);
        if (last) std::copy_n(row, row_width(order_) - 1, row + n_[2]);
    }
}

template <class Real>
std::int64_t ChargeGrid<Real>::charge(int x, int y, int z) const {
    const Integer* row = integers() + static_cast<std::size_t>(x) * plane_ +
                         static_cast<std::size_t>(y) * static_cast<std::size_t>(row_);
    return row[z] + (z < order_ - 1 ? row[n_[2] + z] : 0);
}

template class ChargeGrid<float>;
template class ChargeGrid<double>;

}  // namespace mdsim::mesh
