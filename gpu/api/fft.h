// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <memory>

#include "gpu/api/stream.h"

namespace mdsim::gpu {

/// Whether two plans for lines of one length give a line the same bits, in both directions: that is tried on the device
/// with `b.batch` lines of numbers that hang together with nothing, of which `a` takes its fewer at a time. No library
/// has branches that depend on the numbers.
bool give_the_same(const Device& device, LineTransform& a, const LineShape& of_a, LineTransform& b,
                   const LineShape& of_b);

/// Fourier transforms of lines of one length, of Real float or double. A library may round differently for different
/// numbers of lines. Here the bits of a line are those of one plan, made for the whole mesh, whatever part of the mesh
/// is here: where there are fewer lines than a batch of that plan has, one for them is used if it gives the same bits.
template <class Real>
class FftLines {
  public:
    /// lines: of the whole mesh; here: how many of them this rank has.
    FftLines(const Device& device, int length, std::size_t lines, std::size_t here);
    FftLines(const Device& device, int length, std::size_t lines) : FftLines(device, length, lines, lines) {}

    int length() const { return shape_.length; }
    /// Lines in a call of the library.
    int batch() const { return shape_.batch; }
    /// `lines` rounded up to whole batches: what the arrays below must have room for.
    std::size_t padded(std::size_t lines) const;

    /// [padded(lines)][length] numbers on the device, in to out (another array; `in` may be overwritten). Forward is
    /// sum_x f(x) exp(-2 pi i k x / n), backward the unnormalised inverse.
    void run(Stream& stream, Direction direction, std::complex<Real>* in, std::complex<Real>* out,
             std::size_t lines) const;

  private:
    LineShape shape_;
    std::unique_ptr<LineTransform> transform_;
};

extern template class FftLines<float>;
extern template class FftLines<double>;

}  // namespace mdsim::gpu
