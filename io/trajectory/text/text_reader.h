// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "io/trajectory/text/structure_frames.h"
#include "io/trajectory/trajectory_reader.h"

namespace mdsim {

/// Frames of a structure file, and the names in its first one. Errors: those of the format's reader; MD316 where frames
/// have different numbers of atoms.
class TextReader final : public TrajectoryReader {
  public:
    /// frames: of `path`.
    TextReader(std::filesystem::path path, std::unique_ptr<StructureFrames> frames);

    std::int64_t atoms() const override { return topology_.atoms(); }
    std::optional<std::int64_t> frames() const override { return std::nullopt; }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override;
    double progress() const override { return frames_->progress(); }
    const Topology* topology() const override { return named_ ? &topology_ : nullptr; }

  private:
    std::filesystem::path path_;
    std::unique_ptr<StructureFrames> frames_;
    Topology topology_;
    bool named_ = false;
    Structure now_;
    std::int64_t next_ = 0;
};

/// A file of one structure: AMBER restarts and CHARMM coordinates.
std::unique_ptr<StructureFrames> single_structure(const std::filesystem::path& path);

}  // namespace mdsim
