// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/fft.h"

#include <algorithm>
#include <type_traits>

#include "core/error.h"

namespace mdsim::gpu {

namespace {

// About as many numbers as keep a large device busy, so that a mesh of 64^3 is one call per axis and one of 128^3
// eight; a multiple of eight lines, of which the host's plan is made.
int batch_of(int length) {
    constexpr int numbers = 1 << 18;
    return std::max(8, numbers / length / 8 * 8);
}

}  // namespace

template <class Real>
FftLines<Real>::FftLines(const Device& device, int length) : length_(length), batch_(batch_of(length)) {
    constexpr Precision precision = std::is_same_v<Real, float> ? Precision::single : Precision::full;
    MDSIM_EXPECT(length > 0);
    transform_ = device.driver().make_fft({length, batch_, precision});
}

template <class Real>
std::size_t FftLines<Real>::padded(std::size_t lines) const {
    const auto batch = static_cast<std::size_t>(batch_);
    return (lines + batch - 1) / batch * batch;
}

template <class Real>
void FftLines<Real>::run(Stream& stream, Direction direction, std::complex<Real>* in, std::complex<Real>* out,
                         std::size_t lines) const {
    constexpr Work work{"Fourier transform", "the mesh"};
    stream.begin(work);
    const std::size_t step = static_cast<std::size_t>(batch_) * static_cast<std::size_t>(length_);
    for (std::size_t first = 0; first < padded(lines); first += static_cast<std::size_t>(batch_)) {
        transform_->run(stream.handle(), direction, in, out, work);
        in += step;
        out += step;
    }
    stream.end();
}

template class FftLines<float>;
template class FftLines<double>;

}  // namespace mdsim::gpu
