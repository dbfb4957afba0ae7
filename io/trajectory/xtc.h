// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/trajectory/frame.h"

namespace mdsim {

/// Bytes of one frame in the XTC format (positions in nm, rounded to 1/precision; box; no velocities).
/// Throws an input error where a coordinate times precision leaves 32 bits.
std::string encode_xtc_frame(const Frame& frame, float precision = 1000.0F);

/// Reads an XTC file frame by frame. Errors: exit code 2 with file and byte offset.
class XtcReader {
  public:
    explicit XtcReader(std::filesystem::path path);
    /// The next frame, or nothing at the end of the file.
    std::optional<StoredFrame> next();

  private:
    std::filesystem::path path_;
    std::string bytes_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string& what) const;
    std::uint32_t word();
    std::int32_t integer() { return static_cast<std::int32_t>(word()); }
    float number();
    std::vector<Vec3d> coordinates(std::size_t atoms, bool large);
};

}  // namespace mdsim
