// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/trajectory/binary/byte_source.h"
#include "io/trajectory/trajectory_reader.h"
#include "io/trajectory/xtc_codec.h"

namespace mdsim {

/// Bytes of one frame in the XTC format (positions in nm, rounded to 1/precision; box; no velocities).
/// Throws an input error where a coordinate times precision leaves 32 bits.
std::string encode_xtc_frame(const Frame& frame, float precision = 1000.0F);

/// Reads an XTC file frame by frame. Errors: MD311 with file and byte.
class XtcReader final : public TrajectoryReader {
  public:
    explicit XtcReader(const std::filesystem::path& path);

    std::int64_t atoms() const override { return atoms_; }
    std::optional<std::int64_t> frames() const override { return std::nullopt; }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override;
    double progress() const override;

  private:
    ByteSource in_;
    std::int64_t atoms_ = 0;
    xtc::Packed packed_;
    std::vector<xtc::Int3> grid_;

    struct Header {
        bool large = false;
        std::size_t atoms = 0;
        std::int64_t step = 0;
        double time = 0.0;
        Mat3d box{};
    };
    Header header();
    std::uint64_t packed_header(bool large);
    void coordinates(std::vector<Vec3d>& x, bool large);
};

}  // namespace mdsim
