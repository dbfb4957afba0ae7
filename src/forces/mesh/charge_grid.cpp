// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/charge_grid.h"

#include <algorithm>
#include <utility>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "forces/mesh/window.h"
#include "physics/mesh_window.h"

namespace mdsim::mesh {

using physics::mesh_fraction;
using physics::mesh_node;

template <class Real>
ChargeGrid<Real>::ChargeGrid(std::array<int, 3> n, const Window& window)
    : n_(n), window_(window), order_(window.order), block_({}, order_) {
    MDSIM_EXPECT(order_ >= smallest_order && order_ <= largest_prolate_order);
    MDSIM_EXPECT(*std::min_element(n.begin(), n.end()) >= 8);
}

template <class Real>
ChargeGrid<Real>::ChargeGrid(std::array<int, 3> n, const Window& window, std::span<const double> charges)
    : ChargeGrid(n, window) {
    set_charges(charges);
    set_nodes({{}, n}, {{}, n});
}

template <class Real>
void ChargeGrid<Real>::set_charges(std::span<const double> charges) {
    charged_.clear();
    charge_.clear();
    reserve_tightly(charged_, charges.size());
    reserve_tightly(charge_, charges.size());
    for (std::size_t i = 0; i < charges.size(); ++i) {
        if (charges[i] == 0.0) continue;
        charged_.push_back(static_cast<std::uint32_t>(i));
        charge_.push_back(static_cast<Real>(charges[i]));
    }
    const std::size_t padded = charged_.size() + atom_batch;
    for (auto* column : {&sorted_.x, &sorted_.y, &sorted_.z}) resize_tightly(*column, padded);
    for (auto* column : {&sorted_.tx, &sorted_.ty, &sorted_.tz, &sorted_.q}) resize_tightly(*column, padded);
    resize_tightly(sorted_.atom, padded);
}

// Where the block is not the whole mesh, no atom that it has room for reaches beyond its end: that it is taken for
// periodic all the same does nothing.
template <class Real>
void ChargeGrid<Real>::set_nodes(const NodeBox& box, const NodeBox& room) {
    block_.resize(room);
    whole_ = box == NodeBox{{}, n_} && room == box;
    for (std::size_t a = 0; a < 3; ++a) {
        low_[a] = box.empty() ? 0 : (box.first[a] - room.first[a] + n_[a]) % n_[a];
        places_[a] = box.count[a] == n_[a] ? n_[a] : std::max(0, box.count[a] - (order_ - 1));
    }
    potential_planes_.clear();
    if (room.empty()) return;
    for (int x = 0; x < planes() + order_ - 1; ++x) potential_planes_.push_back(block_.potential(x % planes(), 0));
}

/// The first node of an atom, counted from the first of the block.
template <class Real>
template <bool Whole>
inline std::array<int, 3> ChargeGrid<Real>::place(const LatticePoint& u) const {
    std::array<int, 3> nodes{mesh_node(u.x, n_[0]), mesh_node(u.y, n_[1]), mesh_node(u.z, n_[2])};
    if constexpr (!Whole) {
        const std::array<int, 3>& first = block_.box().first;
        for (std::size_t a = 0; a < 3; ++a) nodes[a] += nodes[a] < first[a] ? n_[a] - first[a] : -first[a];
    }
    return nodes;
}

/// The first plane of an atom; behind the last one where the block has no place for it.
template <class Real>
template <bool Whole>
inline int ChargeGrid<Real>::plane_of(const LatticePoint& u) const {
    const std::array<int, 3> nodes = place<Whole>(u);
    if constexpr (!Whole) {
        for (std::size_t a = 0; a < 3; ++a) {
            if (nodes[a] < low_[a] || nodes[a] >= low_[a] + places_[a]) return planes();
        }
    }
    return nodes[0];
}

template <class Real>
MeshAtoms<Real> ChargeGrid<Real>::atoms(std::size_t begin, std::size_t end) const {
    const Sorted& s = sorted_;
    return {static_cast<int>(end - begin), s.x.data() + begin,  s.y.data() + begin,  s.z.data() + begin,
            s.tx.data() + begin,           s.ty.data() + begin, s.tz.data() + begin, s.q.data() + begin};
}

// A counting sort by plane: each part of the atoms counts its planes, then puts its atoms where those of earlier
// planes and earlier parts end. Atoms outside come last.
template <class Real>
template <bool Whole>
void ChargeGrid<Real>::sort(std::span<const LatticePoint> points) {
    const std::size_t parts = static_cast<std::size_t>(thread_count()), atoms = charged_.size();
    const auto bins = static_cast<std::size_t>(planes()) + 1;
    std::vector<std::vector<std::int32_t>> next(parts);
    const auto range = [&](std::size_t part) { return atoms * part / parts; };
    parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            next[part].assign(bins, 0);
            for (std::size_t i = range(part); i < range(part + 1); ++i) {
                ++next[part][static_cast<std::size_t>(plane_of<Whole>(points[charged_[i]]))];
            }
        }
    });
    first_.clear();
    std::int32_t sum = 0;
    for (std::size_t p = 0; p < bins; ++p) {
        first_.push_back(sum);
        for (auto& counts : next) sum += std::exchange(counts[p], sum);
    }
    parallel_ranges(parts, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t part = begin; part < end; ++part) {
            for (std::size_t i = range(part); i < range(part + 1); ++i) {
                const LatticePoint& u = points[charged_[i]];
                const auto to = static_cast<std::size_t>(next[part][static_cast<std::size_t>(plane_of<Whole>(u))]++);
                const auto [x, y, z] = place<Whole>(u);
                sorted_.x[to] = x;
                sorted_.y[to] = y;
                sorted_.z[to] = z;
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
    const std::size_t atoms = inside();
    int begin = 0;
    for (std::size_t s = 0; s < slabs_.size(); ++s) {
        const auto share = static_cast<std::int32_t>(atoms * (s + 1) / slabs_.size());
        int end = begin;
        while (end < planes() && first_[static_cast<std::size_t>(end)] < share) ++end;
        if (s + 1 == slabs_.size()) end = planes();
        slabs_[s].begin = begin;
        slabs_[s].end = begin = end;
    }
}

template <class Real>
void ChargeGrid<Real>::spread_slab(Slab& slab) {
    const int own = slab.end - slab.begin;
    if (own == 0) return;
    const std::size_t size = block_.plane_size();
    const bool whole = own == planes();
    if (!whole) slab.halo.assign(static_cast<std::size_t>(order_ - 1) * size, 0);
    for (int x = slab.begin; x < slab.end; ++x) block_.clear(x);
    slab.planes.clear();
    for (int x = 0; x < own + order_ - 1; ++x) {
        const bool inside = x < own || whole;
        slab.planes.push_back(inside ? block_.charges((slab.begin + x) % planes(), 0)
                                     : slab.halo.data() + static_cast<std::size_t>(x - own) * size);
    }
    const auto first = static_cast<std::size_t>(first_[static_cast<std::size_t>(slab.begin)]);
    const auto last = static_cast<std::size_t>(first_[static_cast<std::size_t>(slab.end)]);
    mesh::spread<Real>(window_, atoms(first, last), {slab.planes.data(), slab.begin, block_.rows()});
}

template <class Real>
void ChargeGrid<Real>::add_halos(int plane) {
    const std::size_t size = block_.plane_size();
    Integer* to = block_.charges(plane, 0);
    for (const Slab& slab : slabs_) {
        if (slab.begin == slab.end || slab.end - slab.begin == planes()) continue;
        for (int h = 0; h < order_ - 1; ++h) {
            if ((slab.end + h) % planes() != plane) continue;
            const Integer* from = slab.halo.data() + static_cast<std::size_t>(h) * size;
            for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
        }
    }
}

template <class Real>
void ChargeGrid<Real>::spread(std::span<const LatticePoint> points) {
    block_.forget_overload();
    if (whole_) {
        sort<true>(points);
    } else {
        sort<false>(points);
    }
    cut_into_slabs();
    parallel_ranges(slabs_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t s = begin; s < end; ++s) spread_slab(slabs_[s]);
    });
    if (slabs_.size() == 1) return;
    parallel_ranges(static_cast<std::size_t>(planes()), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t x = begin; x < end; ++x) add_halos(static_cast<int>(x));
    });
}

template <class Real>
void ChargeGrid<Real>::for_whole_rows(void (MeshBlock<Real>::*work)(int plane)) {
    if (block_.box().count[2] != n_[2]) return;
    parallel_ranges(static_cast<std::size_t>(planes()), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t x = begin; x < end; ++x) (block_.*work)(static_cast<int>(x));
    });
}

template <class Real>
void ChargeGrid<Real>::fold_rows() {
    for_whole_rows(&MeshBlock<Real>::fold);
}

template <class Real>
void ChargeGrid<Real>::close_rows() {
    for_whole_rows(&MeshBlock<Real>::close);
}

template class ChargeGrid<float>;
template class ChargeGrid<double>;

}  // namespace mdsim::mesh
