// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <memory>

#include "forces/mesh/transform/aligned.h"

namespace mdsim::mesh {

/// How the eight lines of a batch lie in memory: element i of line l at [8 i + l], or at [pitch l + i] with the pitch
/// the length rounded up to a multiple of eight.
enum class BatchLayout { interleaved, contiguous };

/// Complex Fourier transforms of one length, always eight lines at a time, between two separate buffers on 64-byte
/// boundaries. One plan per direction, made without trial runs and without remembered plans, so that its bits depend
/// on the length alone: neither on a line's place in the batch nor on the other seven (a test). Unnormalised. Safe to
/// use from several threads.
template <class Real>
class LineFft {
  public:
    using Complex = std::complex<Real>;
    static constexpr int lines = 8;
    static constexpr int real_lines = 2 * lines;  ///< in one batch, two to a complex line

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

/// Buffers of one thread for a batch that is being transformed.
template <class Real>
struct BatchScratch {
    AlignedVector<std::complex<Real>> a, b;
};

extern template class LineFft<float>;
extern template class LineFft<double>;

}  // namespace mdsim::mesh
