// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/mesh_block.h"

#include <algorithm>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"

namespace mdsim::mesh {

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
    rows_.clear();
    if (box.empty()) return;
    for (int y = 0; y < box.count[1] + std::max(order_ - 1, 0); ++y) rows_.push_back(y % box.count[1] * row_);
}

template <class Real>
void MeshBlock<Real>::clear(int plane) {
    std::fill_n(charges(plane, 0), plane_, Integer{0});
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
    Integer seen = 0;
    for (int x = 0; x < box_.count[0]; ++x) {
        const Integer* row = charges(x, y);
        Integer values[chunk];
        std::copy_n(row + z0, chunk, values);
        for (int j = 0; j < fold; ++j) values[j] += row[box_.count[2] + j];
        for (int j = box_.count[2] - z0; j < chunk; ++j) values[j] = 0;
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
    const bool last = z0 + chunk >= box_.count[2];
    for (int x = 0; x < box_.count[0]; ++x) {
        Real* row = potential(x, y);
        std::copy_n(lines + x * chunk, chunk, row + z0);
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
