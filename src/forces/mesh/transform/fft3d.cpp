// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/transform/fft3d.h"

#include <algorithm>

#include "forces/mesh/transform/real_pairs.h"

namespace mdsim::mesh {

template <class Real>
Fft3d<Real>::Fft3d(std::array<int, 3> n)
    : n_(n),
      pitch_(round_up(n[2], 8)),
      along_x_(n[0], BatchLayout::interleaved),
      along_y_(n[1], BatchLayout::interleaved),
      along_z_(n[2], BatchLayout::contiguous) {
    spectrum_.resize(static_cast<std::size_t>(planes()) * static_cast<std::size_t>(n[1]) *
                     static_cast<std::size_t>(pitch_));
}

template <class Real>
void Fft3d<Real>::make_scratch() {
    const auto threads = static_cast<std::size_t>(thread_count());
    if (scratch_.size() >= threads) return;
    scratch_.resize(threads);
    const int plane = round_up(n_[1], 8) * pitch_;
    const auto most = static_cast<std::size_t>(std::max({plane, 8 * n_[0], 8 * n_[1]}));
    for (Scratch& s : scratch_) {
        s.a.resize(most);
        s.b.resize(most);
    }
}

template <class Real>
void Fft3d<Real>::real_forward(int y, int z0, Scratch& s) {
    along_x_.forward(s.a.data(), s.b.data());
    separate_lines(s.b.data(), n_[0], pairs_from(z0), [&](int k) { return row(k, y) + z0; });
}

template <class Real>
void Fft3d<Real>::real_backward(int y, int z0, Scratch& s) {
    join_lines(
        n_[0], pairs_from(z0), [&](int k) { return row(k, y) + z0; }, s.b.data());
    along_x_.backward(s.b.data(), s.a.data());
}

namespace {

// Columns [z0, z0 + 8) of rows of `pitch`, to and from a packed batch.
template <class Complex>
void pack(const Complex* plane, int rows, int pitch, Complex* batch) {
    for (int y = 0; y < rows; ++y) std::copy_n(plane + static_cast<std::ptrdiff_t>(y) * pitch, 8, batch + 8 * y);
}
template <class Complex>
void unpack(const Complex* batch, int rows, int pitch, Complex* plane) {
    for (int y = 0; y < rows; ++y) std::copy_n(batch + 8 * y, 8, plane + static_cast<std::ptrdiff_t>(y) * pitch);
}

}  // namespace

template <class Real>
void Fft3d<Real>::plane_forward(int kx, Scratch& s) {
    const int ny = n_[1];
    Complex* plane = row(kx, 0);
    for (int z0 = 0; z0 < n_[2]; z0 += 8) {
        pack(plane + z0, ny, pitch_, s.a.data());
        along_y_.forward(s.a.data(), s.b.data());
        unpack(s.b.data(), ny, pitch_, plane + z0);
    }
    for (int y0 = 0; y0 < ny; y0 += 8) {
        const int rows = std::min(8, ny - y0);
        std::copy_n(plane + static_cast<std::ptrdiff_t>(y0) * pitch_, static_cast<std::ptrdiff_t>(rows) * pitch_,
                    s.b.data());
        along_z_.forward(s.b.data(), s.a.data() + static_cast<std::ptrdiff_t>(y0) * pitch_);
    }
}

template <class Real>
void Fft3d<Real>::plane_backward(int kx, Scratch& s) {
    const int ny = n_[1];
    Complex* plane = row(kx, 0);
    for (int y0 = 0; y0 < ny; y0 += 8) {
        const int rows = std::min(8, ny - y0);
        along_z_.backward(s.a.data() + static_cast<std::ptrdiff_t>(y0) * pitch_, s.b.data());
        for (int y = 0; y < rows; ++y) {
            Complex* row = plane + static_cast<std::ptrdiff_t>(y0 + y) * pitch_;
            std::copy_n(s.b.data() + static_cast<std::ptrdiff_t>(y) * pitch_, n_[2], row);
            // The last line may share a complex line with what lies beyond it: that must not add rounding errors.
            std::fill(row + n_[2], row + pitch_, Complex{});
        }
    }
    for (int z0 = 0; z0 < n_[2]; z0 += 8) {
        pack(plane + z0, ny, pitch_, s.a.data());
        along_y_.backward(s.a.data(), s.b.data());
        unpack(s.b.data(), ny, pitch_, plane + z0);
    }
}

template class Fft3d<float>;
template class Fft3d<double>;

}  // namespace mdsim::mesh
