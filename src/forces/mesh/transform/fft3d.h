// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <vector>

#include "forces/mesh/transform/line_fft.h"
#include "parallel/threads.h"

namespace mdsim::mesh {

/// A convolution on a periodic grid of real numbers: transform, multiply, transform back, in three sweeps over memory.
/// Real lines run along x and are transformed in pairs, as the real and imaginary parts of one complex line, which
/// doubles the spectrum: forward gives 2 sum_r f(r) exp(-2 pi i k r / n), backward is the unnormalised inverse.
/// The spectrum is kept as planes of constant kx = 0 ... nx/2, rows of ky, elements of kz. The bits of the result do
/// not depend on the number of threads.
template <class Real>
class Fft3d {
  public:
    using Complex = std::complex<Real>;
    static constexpr int chunk = LineFft<Real>::real_lines;

    explicit Fft3d(std::array<int, 3> n);

    std::array<int, 3> size() const { return n_; }
    int planes() const { return n_[0] / 2 + 1; }
    /// Elements from one row of a spectrum plane to the next: nz rounded up to a multiple of eight. What lies beyond nz
    /// is unspecified.
    int pitch() const { return pitch_; }

    /// load(y, z0, lines) fills lines[x * chunk + l] with the grid value at (x, y, z0 + l), for z0 a multiple of
    /// chunk (zero beyond nz); multiply(thread, kx, plane) changes a plane of the
    /// spectrum [ny][pitch]; store(y, z0, lines) takes the result as load gave it. All are called from many threads
    /// at once; for one y the calls come from one thread with z0 ascending.
    template <class Load, class Multiply, class Store>
    void convolve(Load&& load, Multiply&& multiply, Store&& store);

  private:
    std::array<int, 3> n_;
    int pitch_;
    LineFft<Real> along_x_, along_y_, along_z_;
    AlignedVector<Complex> spectrum_;  // [nx/2 + 1][ny][pitch]

    using Scratch = BatchScratch<Real>;
    std::vector<Scratch> scratch_;  // one per thread
    void make_scratch();
    Complex* row(int kx, int y) {
        return &spectrum_[(static_cast<std::size_t>(kx) * static_cast<std::size_t>(n_[1]) +
                           static_cast<std::size_t>(y)) *
                          static_cast<std::size_t>(pitch_)];
    }
    int pairs_from(int z0) const { return std::min(LineFft<Real>::lines, (pitch_ - z0) / 2); }
    void real_forward(int y, int z0, Scratch& s);
    void real_backward(int y, int z0, Scratch& s);
    // The plane ends up in (or starts from) s.a, rows of pitch, rows padded to a multiple of eight.
    void plane_forward(int kx, Scratch& s);
    void plane_backward(int kx, Scratch& s);
};

template <class Real>
template <class Load, class Multiply, class Store>
void Fft3d<Real>::convolve(Load&& load, Multiply&& multiply, Store&& store) {
    make_scratch();
    const auto rows = static_cast<std::size_t>(n_[1]);
    parallel_ranges(rows, [&](int thread, std::size_t begin, std::size_t end) {
        Scratch& s = scratch_[static_cast<std::size_t>(thread)];
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
            for (int z0 = 0; z0 < n_[2]; z0 += chunk) {
                load(y, z0, reinterpret_cast<Real*>(s.a.data()));
                real_forward(y, z0, s);
            }
        }
    });
    parallel_ranges(static_cast<std::size_t>(planes()), [&](int thread, std::size_t begin, std::size_t end) {
        Scratch& s = scratch_[static_cast<std::size_t>(thread)];
        for (int kx = static_cast<int>(begin); kx < static_cast<int>(end); ++kx) {
            plane_forward(kx, s);
            multiply(thread, kx, s.a.data());
            plane_backward(kx, s);
        }
    });
    parallel_ranges(rows, [&](int thread, std::size_t begin, std::size_t end) {
        Scratch& s = scratch_[static_cast<std::size_t>(thread)];
        for (int y = static_cast<int>(begin); y < static_cast<int>(end); ++y) {
            for (int z0 = 0; z0 < n_[2]; z0 += chunk) {
                real_backward(y, z0, s);
                store(y, z0, reinterpret_cast<const Real*>(s.a.data()));
            }
        }
    });
}

extern template class Fft3d<float>;
extern template class Fft3d<double>;

}  // namespace mdsim::mesh
