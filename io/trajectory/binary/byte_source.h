// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/vec3.h"

namespace mdsim {

/// A binary file of which one buffer is in memory at a time, read as numbers of either byte order. Every problem is an
/// input error of the format's code that names file and byte.
class ByteSource {
  public:
    /// format: "XTC", for messages. Files that cannot be opened: MD300.
    ByteSource(std::filesystem::path path, std::string code, std::string format);
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;
    ~ByteSource();

    const std::filesystem::path& path() const { return path_; }
    std::uint64_t size() const { return size_; }
    std::uint64_t position() const { return start_ + at_; }
    std::uint64_t left() const { return size_ - position(); }
    bool at_end() const { return position() == size_; }
    /// Anywhere in the file, its end included.
    void seek(std::uint64_t position);
    void skip(std::uint64_t bytes) { seek(position() + bytes); }
    /// Byte order of what follows.
    void set_order(std::endian order) { order_ = order; }
    std::endian order() const { return order_; }

    void read(std::span<char> bytes);
    std::uint32_t u32();
    std::uint64_t u64();
    std::int32_t i32() { return static_cast<std::int32_t>(u32()); }
    float f32() { return std::bit_cast<float>(u32()); }
    double f64() { return std::bit_cast<double>(u64()); }
    /// Many at once; `real` is the size of one in the file, 4 or 8 bytes.
    void reals(std::span<double> values, int real);
    /// Vectors of three reals each, times `unit`.
    void vectors(std::span<Vec3d> values, int real, double unit);

    /// Frames that were read whole, for messages.
    void count_frame() { ++frames_; }
    void set_frames(std::int64_t frames) { frames_ = frames; }
    std::int64_t frames() const { return frames_; }
    /// Throws: what is wrong at this byte.
    [[noreturn]] void refuse(const std::string& what, const std::string& why = {}) const;
    /// Throws: the file ends in the frame that is being read.
    [[noreturn]] void refuse_cut_off() const;

  private:
    std::filesystem::path path_;
    std::string code_, format_;
    int descriptor_ = -1;
    std::uint64_t size_ = 0;
    std::uint64_t start_ = 0;  // of the buffer in the file
    std::size_t at_ = 0;       // in the buffer
    std::vector<char> buffer_;
    std::vector<char> raw_;  // of `reals` and `vectors`
    std::endian order_ = std::endian::big;
    std::int64_t frames_ = 0;

    void fill();
    std::span<const char> raw(std::size_t bytes);
};

}  // namespace mdsim
