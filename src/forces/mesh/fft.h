// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "parallel/threads.h"

namespace mdsim::mesh {

/// One cache line, and the widest vector register.
inline constexpr std::size_t alignment = 64;

/// Gives memory that starts on a cache line, so that a Fourier plan always meets the alignment it was made for.
template <class T>
struct AlignedAllocator {
    using value_type = T;
    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{alignment})); }
    void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{alignment}); }
    friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

constexpr int round_up(int n, int multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

/// How the eight lines of a batch lie in memory: element i of line l at [8 i + l], or at [pitch l + i] with the pitch
/// the length rounded up to a multiple of eight.
enum class BatchLayout { interleaved, contiguous };

/// Complex Fourier transforms of one length, always eight lines at a time, between two separate buffers on 64-byte
/// boundaries. One plan per direction, made without trial runs and without remembered plans, so that its bits depend
/// on the length alone. Unnormalised. Safe to use from several threads.
template <class Real>
class LineFft {
  public:
    using Complex = std::complex<Real>;
    static constexpr int lines = 8;

    LineFft(int length, BatchLayout layout);
    ~LineFft();
    LineFft(LineFft&&) noexcept;
    LineFft& operator=(LineFft&&) noexcept;

    int length() const { return length_; }
    /// in may be overwritten.
    void forward(Complex* in, Complex* out) const;
    void backward(Complex* in, Complex* out) const;

  private:
    struct Plans;
    int length_;
    std::unique_ptr<Plans> plans_;
};

/// A convolution on a periodic grid of real numbers: transform, multiply, transform back, in three sweeps over memory.
/// Real lines run along x and are transformed in pairs, as the real and imaginary parts of one complex line, which
/// doubles the spectrum: forward gives 2 sum_r f(r) exp(-2 pi i k r / n), backward is the unnormalised inverse.
/// The spectrum is kept as planes of constant kx = 0 ... nx/2, rows of ky, elements of kz. The bits of the result do
/// not depend on the number of threads.
template <class Real>
class Fft3d {
  public:
    using Complex = std::complex<Real>;
    static constexpr int chunk = 2 * LineFft<Real>::lines;  ///< real lines in a batch

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

    struct Scratch {
        AlignedVector<Complex> a, b;
    };
    std::vector<Scratch> scratch_;  // one per thread
    void make_scratch();
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

extern template class LineFft<float>;
extern template class LineFft<double>;
extern template class Fft3d<float>;
extern template class Fft3d<double>;

}  // namespace mdsim::mesh
