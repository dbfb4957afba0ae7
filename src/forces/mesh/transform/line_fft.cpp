// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/transform/line_fft.h"

#include <mutex>

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

template class LineFft<float>;
template class LineFft<double>;

}  // namespace mdsim::mesh
