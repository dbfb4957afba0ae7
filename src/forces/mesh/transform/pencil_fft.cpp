// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/transform/pencil_fft.h"

#include <cstring>

#include "core/error.h"
#include "forces/mesh/transform/real_pairs.h"

namespace mdsim::mesh {

namespace {

std::size_t volume(const Stretch& a, const Stretch& b, const Stretch& c) {
    return static_cast<std::size_t>(a.size()) * static_cast<std::size_t>(b.size()) * static_cast<std::size_t>(c.size());
}

// Eight neighbouring columns of a batch, of which `count` there are: nearly always all, which is a vector or two and no
// call.
template <class Complex>
void take_columns(const Complex* row, int count, Complex* batch_row) {
    if (count == 8) {
        std::memcpy(batch_row, row, 8 * sizeof(Complex));
    } else {
        std::copy_n(row, count, batch_row);
        std::fill(batch_row + count, batch_row + 8, Complex{});
    }
}
template <class Complex>
void put_columns(const Complex* batch_row, int count, Complex* row) {
    if (count == 8) {
        std::memcpy(row, batch_row, 8 * sizeof(Complex));
    } else {
        std::copy_n(batch_row, count, row);
    }
}

}  // namespace

template <class Real>
PencilFft<Real>::PencilFft(const Pencils& pencils, int tile)
    : pencils_(pencils),
      pitch_(round_up(pencils.n[2], 8)),
      along_x_(pencils.n[0], BatchLayout::interleaved),
      along_y_(pencils.n[1], BatchLayout::interleaved),
      along_z_(pencils.n[2], BatchLayout::contiguous) {
    MDSIM_EXPECT(tile >= 0 && tile < pencils.tiles());
    MDSIM_EXPECT(pencils.first <= pencils.most_first() && pencils.second <= pencils.most_second());
    const int i = tile / pencils.second, j = tile % pencils.second;
    y_ = pencils.y(i);
    kx_ = pencils.kx(i);
    z_ = pencils.z(j);
    ky_ = pencils.ky(j);
    by_planes_ = pencils.second == 1 && kx_.size() >= 4 * thread_count();
    make_turns(i, j);
    make_rows();
}

template <class Real>
void PencilFft<Real>::make_turns(int i, int j) {
    for (int p = 0; p < pencils_.first; ++p) {
        x_to_y_.tiles.push_back(p * pencils_.second + j);
        x_to_y_.before.emplace_back(volume(pencils_.kx(p), y_, z_));
        x_to_y_.after.emplace_back(p == i ? 0 : volume(kx_, pencils_.y(p), z_));
    }
    x_to_y_.own = static_cast<std::size_t>(i);
    for (int q = 0; q < pencils_.second && !by_planes_; ++q) {
        y_to_z_.tiles.push_back(i * pencils_.second + q);
        y_to_z_.before.emplace_back(volume(kx_, pencils_.ky(q), z_));
        y_to_z_.after.emplace_back(q == j ? 0 : volume(kx_, ky_, pencils_.z(q)));
    }
    y_to_z_.own = static_cast<std::size_t>(j);
}

template <class Real>
void PencilFft<Real>::make_rows() {
    const std::ptrdiff_t row = z_.size();
    of_y_.resize(static_cast<std::size_t>(pencils_.n[1]));
    for (int p = 0; p < pencils_.first; ++p) {
        const auto piece = static_cast<std::size_t>(p);
        const Stretch there = pencils_.y(p);
        const std::ptrdiff_t rows = y_.size(), rows_there = there.size();
        for (int k = 0; k < pencils_.kx(p).size(); ++k) {
            of_kx_.push_back({x_to_y_.at_before(piece) + k * rows * row, row});
        }
        for (int y = there.begin; y < there.end; ++y) {
            of_y_[static_cast<std::size_t>(y % pencils_.n[1])] = {x_to_y_.at_after(piece) + (y - there.begin) * row,
                                                                  rows_there * row};
        }
    }
    for (int q = 0; q < pencils_.second && !by_planes_; ++q) {
        const std::ptrdiff_t rows = pencils_.ky(q).size();
        for (int k = 0; k < rows; ++k) {
            of_ky_.push_back({y_to_z_.at_before(static_cast<std::size_t>(q)) + k * row, rows * row});
        }
    }
}

template <class Real>
void PencilFft<Real>::make_scratch() {
    const auto threads = static_cast<std::size_t>(thread_count());
    if (scratch_.size() >= threads) return;
    const auto most = static_cast<std::size_t>(8 * std::max({pencils_.n[0], pencils_.n[1], pitch_}));
    scratch_.resize(threads);
    for (Scratch& s : scratch_) {
        s.a.resize(most);
        s.b.resize(most);
        if (by_planes_) s.plane.resize(volume(ky_, z_, {0, 1}));
    }
}

template <class Real>
void PencilFft<Real>::real_forward(int y, int z0, Scratch& s) {
    along_x_.forward(s.a.data(), s.b.data());
    separate_lines(s.b.data(), pencils_.n[0], pairs_from(z0),
                   [&](int k) { return of_kx_[static_cast<std::size_t>(k)][y] + z0; });
}

template <class Real>
void PencilFft<Real>::real_backward(int y, int z0, Scratch& s) {
    join_lines(
        pencils_.n[0], pairs_from(z0), [&](int k) { return of_kx_[static_cast<std::size_t>(k)][y] + z0; }, s.b.data());
    along_x_.backward(s.b.data(), s.a.data());
}

template <class Real>
template <class From, class To>
void PencilFft<Real>::columns(int z0, const From& from, const To& to, LineTransform transform, Scratch& s) const {
    const int count = std::min(LineFft<Real>::lines, z_.size() - z0), n = along_y_.length();
    for (int k = 0; k < n; ++k) take_columns(from(k) + z0, count, s.a.data() + 8 * k);
    (along_y_.*transform)(s.a.data(), s.b.data());
    for (int k = 0; k < n; ++k) put_columns(s.b.data() + 8 * k, count, to(k) + z0);
}

template <class Real>
void PencilFft<Real>::along_y(const std::vector<Rows>& from, const std::vector<Rows>& to, LineTransform transform) {
    for_batches(kx_.size(), z_.size(), LineFft<Real>::lines, [&](Scratch& s, int, int kx, int z0) {
        columns(
            z0, [&](int k) { return from[static_cast<std::size_t>(k)][kx]; },
            [&](int k) { return to[static_cast<std::size_t>(k)][kx]; }, transform, s);
    });
}

template <class Real>
void PencilFft<Real>::plane_forward(int kx, Scratch& s) {
    for (int z0 = 0; z0 < z_.size(); z0 += LineFft<Real>::lines) {
        columns(
            z0, [&](int k) { return of_y_[static_cast<std::size_t>(k)][kx]; },
            [&](int k) { return s.plane.data() + k * z_.size(); }, &LineFft<Real>::forward, s);
    }
}

template <class Real>
void PencilFft<Real>::plane_backward(int kx, Scratch& s) {
    for (int z0 = 0; z0 < z_.size(); z0 += LineFft<Real>::lines) {
        columns(
            z0, [&](int k) { return s.plane.data() + k * z_.size(); },
            [&](int k) { return of_y_[static_cast<std::size_t>(k)][kx]; }, &LineFft<Real>::backward, s);
    }
}

template <class Real>
void PencilFft<Real>::forward_y() {
    along_y(of_y_, of_ky_, &LineFft<Real>::forward);
}

template <class Real>
void PencilFft<Real>::backward_y() {
    along_y(of_ky_, of_y_, &LineFft<Real>::backward);
}

/// Where the first of some rows is in the piece of part j of z.
template <class Real>
std::complex<Real>* PencilFft<Real>::row_of_z(std::size_t j, const SpectrumRows& rows, Scratch& s) {
    if (by_planes_) return s.plane.data() + rows.ky * z_.size();
    const std::ptrdiff_t planes = rows.kx - kx_.begin;
    return y_to_z_.at_after(j) + (planes * ky_.size() + rows.ky - ky_.begin) * pencils_.z(static_cast<int>(j)).size();
}

template <class Real>
void PencilFft<Real>::rows_forward(const SpectrumRows& rows, Scratch& s) {
    for (int j = 0; j < pencils_.second; ++j) {
        const Stretch z = pencils_.points_z(j);
        const int straight = std::min(z.end, pencils_.n[2]) - z.begin;  // the others are beyond the end of the period
        const Complex* from = row_of_z(static_cast<std::size_t>(j), rows, s);
        Complex* to = s.b.data();
        for (int r = 0; r < rows.count; ++r, from += pencils_.z(j).size(), to += pitch_) {
            std::copy_n(from, straight, to + z.begin);
            std::copy_n(from + straight, z.size() - straight, to);
        }
    }
    std::fill(s.b.begin() + rows.count * pitch_, s.b.begin() + LineFft<Real>::lines * pitch_, Complex{});
    along_z_.forward(s.b.data(), s.a.data());
}

// A pair's second line that lies beyond the mesh stays zero: it must not add rounding errors to the first.
template <class Real>
void PencilFft<Real>::rows_backward(const SpectrumRows& rows, Scratch& s) {
    along_z_.backward(s.a.data(), s.b.data());
    for (int j = 0; j < pencils_.second; ++j) {
        const Stretch z = pencils_.points_z(j);
        const int straight = std::min(z.end, pencils_.n[2]) - z.begin;
        const std::ptrdiff_t row = pencils_.z(j).size();
        const Complex* from = s.b.data();
        Complex* to = row_of_z(static_cast<std::size_t>(j), rows, s);
        for (int r = 0; r < rows.count; ++r, from += pitch_, to += row) {
            std::copy_n(from + z.begin, straight, to);
            std::copy_n(from, z.size() - straight, to + straight);
            std::fill(to + z.size(), to + row, Complex{});
        }
    }
}

template class PencilFft<float>;
template class PencilFft<double>;

}  // namespace mdsim::mesh
