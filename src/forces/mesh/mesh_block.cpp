// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/mesh_block.h"

#include <algorithm>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"

namespace mdsim::mesh {

namespace {

// Nearly always a whole chunk, which is a few vectors.
template <class T>
void copy_lines(const T* from, int count, T* to) {
    constexpr int chunk = LineFft<float>::real_lines;
    static_assert(chunk == LineFft<double>::real_lines);
    if (count == chunk) {
        std::copy_n(from, chunk, to);
    } else {
        std::copy_n(from, count, to);
    }
}

}  // namespace

template <class Real>
MeshBlock<Real>::MeshBlock(const NodeBox& box, int order) : order_(order), tail_(order > 0 ? row_width(order) - 1 : 0) {
    resize(box);
}

template <class Real>
void MeshBlock<Real>::resize(const NodeBox& box) {
    box_ = box;
    row_ = round_up(box.count[2] + tail_, LineFft<Real>::real_lines);
    plane_ = static_cast<std::size_t>(box.count[1]) * static_cast<std::size_t>(row_);
    MDSIM_EXPECT(plane_ < (std::size_t{1} << 31));
    resize_tightly(mesh_, static_cast<std::size_t>(box.count[0]) * plane_ * sizeof(Real));
    memory_ = nodes_ = mesh_.data();
    rows_.clear();
    if (box.empty()) return;
    for (int y = 0; y < box.count[1] + std::max(order_ - 1, 0); ++y) rows_.push_back(y % box.count[1] * row_);
}

template <class Real>
bool MeshBlock<Real>::become_part(const MeshBlock& whole, const NodeBox& part, const std::array<int, 3>& n) {
    MDSIM_EXPECT(order_ == 0);
    std::array<int, 3> at{};
    for (std::size_t a = 0; a < 3 && !part.empty(); ++a) {
        at[a] = (part.first[a] - whole.box_.first[a] + n[a]) % n[a];
        if (at[a] + part.count[a] > whole.box_.count[a]) return false;
    }
    mesh_ = {};
    rows_.clear();
    box_ = part;
    row_ = whole.row_;
    plane_ = whole.plane_;
    memory_ = whole.memory_;
    nodes_ = whole.nodes_ + whole.offset(at[0], at[1]) + static_cast<std::size_t>(at[2]) * sizeof(Real);
    return true;
}

template <class Real>
void MeshBlock<Real>::clear(int plane) {
    if (!mesh_.empty()) {
        std::fill_n(charges(plane, 0), plane_, Integer{0});
        return;
    }
    for (int y = 0; y < box_.count[1]; ++y) std::fill_n(charges(plane, y), box_.count[2], Integer{0});
}

template <class Real>
void MeshBlock<Real>::fold(int plane) {
    for (int y = 0; y < box_.count[1]; ++y) {
        Integer* row = charges(plane, y);
        for (int j = 0; j < order_ - 1; ++j) row[j] += row[box_.count[2] + j];
    }
}

// One by one: a short row repeats itself.
template <class Real>
void MeshBlock<Real>::close(int plane) {
    for (int y = 0; y < box_.count[1]; ++y) {
        Real* row = potential(plane, y);
        for (int j = 0; j < tail_; ++j) row[box_.count[2] + j] = row[j];
    }
}

template <class Real>
void MeshBlock<Real>::load(int y, int z0, Real* lines) {
    constexpr int chunk = LineFft<Real>::real_lines;
    const int fold = z0 == 0 ? order_ - 1 : 0;
    const int count = std::min(chunk, box_.count[2] - z0);
    Integer seen = 0;
    for (int x = 0; x < box_.count[0]; ++x) {
        const Integer* row = charges(x, y);
        Integer values[chunk] = {};
        copy_lines(row + z0, count, values);
        for (int j = 0; j < fold; ++j) values[j] += row[box_.count[2] + j];
        for (int l = 0; l < chunk; ++l) {
            seen |= values[l] ^ (values[l] >> (8 * sizeof(Integer) - 1));
            lines[x * chunk + l] = static_cast<Real>(values[l]);
        }
    }
    if ((seen >> (charge_bits<Real> + 6)) != 0) overloaded_.store(true, std::memory_order_relaxed);
}

template <class Real>
void MeshBlock<Real>::store(int y, int z0, const Real* lines) {
    constexpr int chunk = LineFft<Real>::real_lines;
    const int count = std::min(chunk, box_.count[2] - z0);
    const bool last = z0 + chunk >= box_.count[2];
    for (int x = 0; x < box_.count[0]; ++x) {
        Real* row = potential(x, y);
        copy_lines(lines + x * chunk, count, row + z0);
        if (last) std::copy_n(row, tail_, row + box_.count[2]);
    }
}

template <class Real>
std::int64_t MeshBlock<Real>::charge(int x, int y, int z) const {
    const Integer* row = charges(x, y);
    return row[z] + (z < order_ - 1 ? row[box_.count[2] + z] : 0);
}

template class MeshBlock<float>;
template class MeshBlock<double>;

}  // namespace mdsim::mesh
