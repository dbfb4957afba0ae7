// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/fft.h"

#include <algorithm>
#include <type_traits>

#include "core/error.h"

namespace mdsim::gpu {

namespace {

// As few calls as it takes with about 2^20 numbers each, which keep a large device busy and fit its cache, all of the
// same size; a multiple of eight lines, of which the host's plan is made.
int batch_of(std::size_t length, std::size_t lines) {
    constexpr std::size_t numbers = std::size_t{1} << 20;
    const std::size_t calls = (lines * length + numbers - 1) / numbers;
    return static_cast<int>(((lines + calls - 1) / calls + 7) / 8 * 8);
}

}  // namespace

template <class Real>
FftLines<Real>::FftLines(const Device& device, int length, std::size_t lines) : length_(length) {
    constexpr Precision precision = std::is_same_v<Real, float> ? Precision::single : Precision::full;
    MDSIM_EXPECT(length > 0 && lines > 0);
    batch_ = batch_of(static_cast<std::size_t>(length), lines);
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
