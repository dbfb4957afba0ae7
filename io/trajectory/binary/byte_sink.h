// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "core/vec3.h"

namespace mdsim {

/// Bytes of a binary format that are put together, numbers in a fixed byte order.
class ByteSink {
  public:
    explicit ByteSink(std::endian order) : swap_(order != std::endian::native) {}

    void u32(std::uint32_t word) { put(swap_ ? __builtin_bswap32(word) : word); }
    void u64(std::uint64_t word) { put(swap_ ? __builtin_bswap64(word) : word); }
    void i32(std::int64_t value) { u32(static_cast<std::uint32_t>(value)); }
    void f32(double value) { u32(std::bit_cast<std::uint32_t>(static_cast<float>(value))); }
    void f64(double value) { u64(std::bit_cast<std::uint64_t>(value)); }
    void text(std::string_view bytes) { bytes_ += bytes; }
    void zeros(std::size_t count) { bytes_.append(count, '\0'); }
    /// Single-precision triplets of values times `unit`.
    void vectors(std::span<const Vec3d> values, double unit);
    /// One component of each, single precision.
    void components(std::span<const Vec3d> values, int axis, double unit);

    std::string& bytes() { return bytes_; }
    std::size_t size() const { return bytes_.size(); }
    void clear() { bytes_.clear(); }

  private:
    template <class Word>
    void put(Word word) {
        bytes_.append(reinterpret_cast<const char*>(&word), sizeof word);
    }
    std::string bytes_;
    bool swap_;
};

}  // namespace mdsim
