// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/fft.h"

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "gpu/api/buffer.h"

namespace mdsim::gpu {

namespace {

// As few calls as it takes with about 2^20 numbers each, which keep a large device busy and fit its cache, all of the
// same size; a multiple of eight lines, of which the host's plan is made.
int batch_of(std::size_t length, std::size_t lines) {
    constexpr std::size_t numbers = std::size_t{1} << 20;
    const std::size_t calls = (lines * length + numbers - 1) / numbers;
    return static_cast<int>(((lines + calls - 1) / calls + 7) / 8 * 8);
}

constexpr Work comparison{"comparison of Fourier transforms", "the mesh"};

// Finite, between 1 and 2 or -1 and -2, in either precision.
template <class Real>
std::vector<std::complex<Real>> unrelated_numbers(std::size_t count) {
    std::uint64_t state = 0x9E3779B97F4A7C15ULL;
    const auto next = [&] {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        const double size = 1.0 + static_cast<double>(state >> 12) * 0x1p-52;
        return static_cast<Real>((state >> 11 & 1u) != 0 ? -size : size);
    };
    std::vector<std::complex<Real>> numbers(count);
    for (auto& number : numbers) number = {next(), next()};
    return numbers;
}

/// Two plans for lines of one length, of which a takes fewer.
template <class Real>
class Comparison {
  public:
    using Numbers = std::vector<std::complex<Real>>;

    Comparison(const Device& device, const LineShape& of_a, const LineShape& of_b)
        : stream_(device),
          in_(device, comparison),
          out_(device, comparison),
          compared_(extent(of_a) * static_cast<std::size_t>(of_b.batch / of_a.batch)),
          lines_(unrelated_numbers<Real>(extent(of_b))) {
        in_.resize(lines_.size());
        out_.resize(lines_.size());
    }
    bool same(LineTransform& a, std::size_t batch_of_a, LineTransform& b) {
        for (const Direction direction : {Direction::forward, Direction::backward}) {
            const Numbers of_a = transformed(a, batch_of_a, direction), of_b = transformed(b, lines_.size(), direction);
            if (std::memcmp(of_a.data(), of_b.data(), compared_ * sizeof(of_a[0])) != 0) return false;
        }
        return true;
    }
    static std::size_t extent(const LineShape& shape) {
        return static_cast<std::size_t>(shape.length) * static_cast<std::size_t>(shape.batch);
    }

  private:
    Stream stream_;
    Buffer<std::complex<Real>> in_, out_;
    std::size_t compared_;  // numbers: of whole batches of a
    Numbers lines_;

    Numbers transformed(LineTransform& by, std::size_t batch, Direction direction) {
        in_.upload(stream_, lines_);
        for (std::size_t at = 0; at < compared_; at += batch) {
            stream_.begin(comparison);
            by.run(stream_.handle(), direction, in_.data() + at, out_.data() + at, comparison);
            stream_.end();
        }
        Numbers out(compared_);
        out_.download(stream_, out);
        stream_.finish();
        return out;
    }
};

}  // namespace

bool give_the_same(const Device& device, LineTransform& a, const LineShape& of_a, LineTransform& b,
                   const LineShape& of_b) {
    MDSIM_EXPECT(of_a.length == of_b.length && of_a.precision == of_b.precision && of_a.batch <= of_b.batch);
    const auto same = [&](auto both) { return both.same(a, both.extent(of_a), b); };
    if (of_a.precision == Precision::single) return same(Comparison<float>(device, of_a, of_b));
    return same(Comparison<double>(device, of_a, of_b));
}

template <class Real>
FftLines<Real>::FftLines(const Device& device, int length, std::size_t lines, std::size_t here) {
    constexpr Precision precision = std::is_same_v<Real, float> ? Precision::single : Precision::full;
    MDSIM_EXPECT(length > 0 && here > 0 && lines >= here);
    const auto n = static_cast<std::size_t>(length);
    shape_ = {length, batch_of(n, lines), precision};
    transform_ = device.driver().make_fft(shape_);
    const LineShape smaller{length, batch_of(n, here), precision};
    if (smaller.batch >= shape_.batch) return;
    auto transform = device.driver().make_fft(smaller);
    if (!give_the_same(device, *transform, smaller, *transform_, shape_)) return;
    shape_ = smaller;
    transform_ = std::move(transform);
}

template <class Real>
std::size_t FftLines<Real>::padded(std::size_t lines) const {
    const auto batch = static_cast<std::size_t>(shape_.batch);
    return (lines + batch - 1) / batch * batch;
}

template <class Real>
void FftLines<Real>::run(Stream& stream, Direction direction, std::complex<Real>* in, std::complex<Real>* out,
                         std::size_t lines) const {
    constexpr Work work{"Fourier transform", "the mesh"};
    stream.begin(work);
    const std::size_t step = static_cast<std::size_t>(shape_.batch) * static_cast<std::size_t>(shape_.length);
    for (std::size_t first = 0; first < padded(lines); first += static_cast<std::size_t>(shape_.batch)) {
        transform_->run(stream.handle(), direction, in, out, work);
        in += step;
        out += step;
    }
    stream.end();
}

template class FftLines<float>;
template class FftLines<double>;

}  // namespace mdsim::gpu
