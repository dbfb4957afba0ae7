// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/binary/byte_sink.h"

namespace mdsim {

namespace {

// Appends count numbers, of which value(n) gives each.
template <class Value>
void append(std::string& bytes, std::size_t count, bool swap, Value&& value) {
    const std::size_t start = bytes.size();
    bytes.resize(start + 4 * count);
    for (std::size_t n = 0; n < count; ++n) {
        auto word = std::bit_cast<std::uint32_t>(static_cast<float>(value(n)));
        if (swap) word = __builtin_bswap32(word);
        std::memcpy(bytes.data() + start + 4 * n, &word, 4);
    }
}

}  // namespace

void ByteSink::vectors(std::span<const Vec3d> values, double unit) {
    const auto* numbers = reinterpret_cast<const double*>(values.data());
    append(bytes_, 3 * values.size(), swap_, [&](std::size_t n) { return numbers[n] * unit; });
}

void ByteSink::components(std::span<const Vec3d> values, int axis, double unit) {
    append(bytes_, values.size(), swap_, [&](std::size_t n) { return values[n][axis] * unit; });
}

}  // namespace mdsim
