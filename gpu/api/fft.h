// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "gpu/api/stream.h"

namespace mdsim::gpu {

/// Fourier transforms of lines of one length, of Real float or double. A library may round differently for different
/// numbers of lines; here they always go through one plan, made for the whole mesh, so that the bits of a line do not
/// depend on the division of the mesh between ranks.
template <class Real>
class FftLines {
  public:
    /// lines: of the whole mesh, however many of them are here.
    FftLines(const Device& device, int length, std::size_t lines);

    int length() const { return length_; }
    /// Lines in a call of the library.
    int batch() const { return batch_; }
    /// `lines` rounded up to whole batches: what the arrays below must have room for.
    std::size_t padded(std::size_t lines) const;

    /// [padded(lines)][length] numbers on the device, in to out (another array; `in` may be overwritten). Forward is
    /// sum_x f(x) exp(-2 pi i k x / n), backward the unnormalised inverse.
    void run(Stream& stream, Direction direction, std::complex<Real>* in, std::complex<Real>* out,
             std::size_t lines) const;

  private:
    int length_, batch_;
    std::unique_ptr<LineTransform> transform_;
};

extern template class FftLines<float>;
extern template class FftLines<double>;

}  // namespace mdsim::gpu
