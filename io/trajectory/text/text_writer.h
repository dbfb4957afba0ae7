// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "io/output/append_file.h"
#include "io/trajectory/text/atom_lines.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

/// Frames as text that is only appended to: .gro frames, .pdb models, .cif models.
///
/// .gro: title with time and step, positions with three digits or as many as the precision needs, velocities with one
/// more. .pdb: title with time and step and CRYST1 before each MODEL (no MODEL for a single frame). .cif: one box, that
/// of the first frame, and no times. Throws Error (MD317) where a coordinate does not fit its columns.
class TextWriter final : public TrajectoryWriter {
  public:
    enum class Style { gro, pdb, cif };
    /// frames: that the file has already.
    TextWriter(AppendFile file, Style style, const TrajectoryInfo& info, std::int64_t frames = 0);
    void append(const Frame& frame) override;
    OutputMark sync() override { return file_.sync(); }
    OutputMark finish() override;

  private:
    AppendFile file_;
    Style style_;
    AtomLines lines_;
    std::string title_;
    std::optional<std::int64_t> all_frames_;
    int decimals_ = 3;
    WithVelocities velocities_;
    std::int64_t frames_;
    std::string out_;

    void append_gro(const Frame& frame);
    void append_pdb(const Frame& frame);
    void append_cif(const Frame& frame);
    void cif_header(const Frame& frame);
    void flush_if_large();
    [[noreturn]] void refuse(double value) const;
};

}  // namespace mdsim
