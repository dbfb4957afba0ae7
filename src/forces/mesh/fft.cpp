// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/fft.h"

#include <algorithm>
#include <mutex>
#include <type_traits>

#include <fftw3.h>

#include "core/error.h"
#include "parallel/fftw_planner.h"

namespace mdsim::mesh {

namespace {

// FFTW's two precisions are two libraries with two sets of names.
template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
    using Plan = fftwf_plan;
    using Complex = fftwf_complex;
    static void forget() { fftwf_forget_wisdom(); }
    static void destroy(Plan p) { fftwf_destroy_plan(p); }
    static void execute(Plan p, Complex* in, Complex* out) { fftwf_execute_dft(p, in, out); }
    static Plan plan(int n, int stride, int distance, Complex* in, Complex* out, int sign) {
        return fftwf_plan_many_dft(1, &n, 8, in, nullptr, stride, distance, out, nullptr, stride, distance, sign,
                                   FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    }
};

template <>
struct Fftw<double> {
    using Plan = fftw_plan;
    using Complex = fftw_complex;
    static void forget() { fftw_forget_wisdom(); }
    static void destroy(Plan p) { fftw_destroy_plan(p); }
    static void execute(Plan p, Complex* in, Complex* out) { fftw_execute_dft(p, in, out); }
    static Plan plan(int n, int stride, int distance, Complex* in, Complex* out, int sign) {
        return fftw_plan_many_dft(1, &n, 8, in, nullptr, stride, distance, out, nullptr, stride, distance, sign,
                                  FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    }
};

template <class Real>
typename Fftw<Real>::Complex* raw(std::complex<Real>* p) {
    return reinterpret_cast<typename Fftw<Real>::Complex*>(p);
}

}  // namespace

template <class Real>
struct LineFft<Real>::Plans {
    typename Fftw<Real>::Plan forward = nullptr, backward = nullptr;

    Plans(int length, BatchLayout layout) {
        AlignedVector<Complex> a(static_cast<std::size_t>(round_up(length, lines)) * lines), b(a.size());
        const bool interleaved = layout == BatchLayout::interleaved;
        const int stride = interleaved ? lines : 1;
        const int distance = interleaved ? 1 : round_up(length, lines);
        const std::lock_guard lock(fftw_planner());
        // Earlier plans, remembered as wisdom, would change this one.
        Fftw<Real>::forget();
        forward = Fftw<Real>::plan(length, stride, distance, raw(a.data()), raw(b.data()), FFTW_FORWARD);
        Fftw<Real>::forget();
        backward = Fftw<Real>::plan(length, stride, distance, raw(a.data()), raw(b.data()), FFTW_BACKWARD);
        MDSIM_ENSURE(forward != nullptr && backward != nullptr);
    }
    ~Plans() {
        const std::lock_guard lock(fftw_planner());
        Fftw<Real>::destroy(forward);
        Fftw<Real>::destroy(backward);
    }
};

template <class Real>
LineFft<Real>::LineFft(int length, BatchLayout layout)
    : length_(length), plans_(std::make_unique<Plans>(length, layout)) {}
template <class Real>
LineFft<Real>::~LineFft() = default;
template <class Real>
LineFft<Real>::LineFft(LineFft&&) noexcept = default;
template <class Real>
LineFft<Real>& LineFft<Real>::operator=(LineFft&&) noexcept = default;

template <class Real>
void LineFft<Real>::forward(Complex* in, Complex* out) const {
    Fftw<Real>::execute(plans_->forward, raw(in), raw(out));
}

template <class Real>
void LineFft<Real>::backward(Complex* in, Complex* out) const {
    Fftw<Real>::execute(plans_->backward, raw(in), raw(out));
}

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

// With Z the transform of a + i b, that of a is (Z[k] + conj Z[-k]) / 2 and that of b is (Z[k] - conj Z[-k]) / 2i.
// Twice these are stored, for k = 0 ... nx/2.
template <class Real>
void Fft3d<Real>::real_forward(int y, int z0, Scratch& s) {
    along_x_.forward(s.a.data(), s.b.data());
    const int nx = n_[0];
    const int pairs = std::min(LineFft<Real>::lines, (pitch_ - z0) / 2);
    for (int k = 0; k < planes(); ++k) {
        const Real* p = reinterpret_cast<const Real*>(&s.b[static_cast<std::size_t>(8 * k)]);
        const Real* m = reinterpret_cast<const Real*>(&s.b[static_cast<std::size_t>(8 * (k == 0 ? 0 : nx - k))]);
        Real* out = reinterpret_cast<Real*>(
            &spectrum_[(static_cast<std::size_t>(k) * static_cast<std::size_t>(n_[1]) + static_cast<std::size_t>(y)) *
                           static_cast<std::size_t>(pitch_) +
                       static_cast<std::size_t>(z0)]);
        for (int l = 0; l < pairs; ++l) {
            out[4 * l] = p[2 * l] + m[2 * l];
            out[4 * l + 1] = p[2 * l + 1] - m[2 * l + 1];
            out[4 * l + 2] = p[2 * l + 1] + m[2 * l + 1];
            out[4 * l + 3] = m[2 * l] - p[2 * l];
        }
    }
}

// Z[k] = A[k] + i B[k] and Z[-k] = conj A[k] + i conj B[k]. Where k = -k, A and B are real: what rounding (or a
// multiplier without symmetry) left as imaginary parts is dropped.
template <class Real>
void Fft3d<Real>::real_backward(int y, int z0, Scratch& s) {
    const int nx = n_[0];
    const int pairs = std::min(LineFft<Real>::lines, (pitch_ - z0) / 2);
    for (int k = 0; k < planes(); ++k) {
        Real* p = reinterpret_cast<Real*>(&s.b[static_cast<std::size_t>(8 * k)]);
        const Real* in = reinterpret_cast<const Real*>(
            &spectrum_[(static_cast<std::size_t>(k) * static_cast<std::size_t>(n_[1]) + static_cast<std::size_t>(y)) *
                           static_cast<std::size_t>(pitch_) +
                       static_cast<std::size_t>(z0)]);
        if (k == 0 || 2 * k == nx) {
            for (int l = 0; l < pairs; ++l) {
                p[2 * l] = in[4 * l];
                p[2 * l + 1] = in[4 * l + 2];
            }
            continue;
        }
        Real* m = reinterpret_cast<Real*>(&s.b[static_cast<std::size_t>(8 * (nx - k))]);
        for (int l = 0; l < pairs; ++l) {
            const Real ar = in[4 * l], ai = in[4 * l + 1], br = in[4 * l + 2], bi = in[4 * l + 3];
            p[2 * l] = ar - bi;
            p[2 * l + 1] = ai + br;
            m[2 * l] = ar + bi;
            m[2 * l + 1] = br - ai;
        }
    }
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
    Complex* plane =
        &spectrum_[static_cast<std::size_t>(kx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(pitch_)];
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
    Complex* plane =
        &spectrum_[static_cast<std::size_t>(kx) * static_cast<std::size_t>(ny) * static_cast<std::size_t>(pitch_)];
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

template class LineFft<float>;
template class LineFft<double>;
template class Fft3d<float>;
template class Fft3d<double>;

}  // namespace mdsim::mesh
