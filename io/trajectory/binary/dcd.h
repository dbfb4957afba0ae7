// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/output/append_file.h"
#include "io/trajectory/binary/byte_sink.h"
#include "io/trajectory/binary/byte_source.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_reader.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

// DCD of CHARMM, NAMD and X-PLOR: FORTRAN records, Angstrom, single precision, no time but a first step and an
// increment. Layout: CHARMM documentation, dynamc.info; VMD's dcdplugin.c (for what programs really write).

/// Either byte order, record marks of 4 or 8 bytes, X-PLOR's header, fixed atoms, a fourth dimension (passed over),
/// cells as angles, as cosines or as CHARMM's symmetric matrix. Errors: MD315 with file and byte.
class DcdReader final : public TrajectoryReader {
  public:
    explicit DcdReader(const std::filesystem::path& path);

    std::int64_t atoms() const override { return atoms_; }
    std::optional<std::int64_t> frames() const override { return frames_; }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override;
    double progress() const override;

    bool has_cell() const { return cell_; }
    std::int64_t first_step() const { return first_step_; }
    std::int64_t steps_a_frame() const { return steps_a_frame_; }
    double timestep() const { return timestep_; }  ///< [ps]
    /// All lines of the title, one after the other.
    const std::string& title() const { return title_; }

  private:
    ByteSource in_;
    int mark_ = 4;  // bytes of a record mark
    bool cell_ = false, fourth_ = false;
    std::int64_t atoms_ = 0, announced_ = 0, frames_ = 0;
    std::int64_t first_step_ = 0, steps_a_frame_ = 1;
    std::string title_;
    double timestep_ = 0.0;            // [ps]
    std::vector<std::uint32_t> free_;  // atoms that move, from 0; empty: all
    std::vector<Vec3d> fixed_;         // the first frame, where some atoms are fixed
    std::uint64_t begin_ = 0;          // of the first frame
    std::vector<double> axis_;

    void find_layout();
    void read_header();
    void read_titles();
    void read_free_atoms(std::int64_t fixed);
    std::uint64_t open_record();
    void close_record(std::uint64_t length);
    std::uint64_t frame_bytes(std::uint64_t atoms) const;
    Cell read_cell();
    void read_positions(std::vector<Vec3d>& x);
};

/// As CHARMM 24 and VMD write it: little endian, cell as lengths and angles. Frames are taken to be equally far apart
/// in time, as the first two are.
class DcdWriter final : public TrajectoryWriter {
  public:
    static DcdWriter create(AppendFile file, std::int64_t atoms, std::string title);
    static DcdWriter reopen(const std::filesystem::path& path, std::int64_t atoms, std::string title,
                            const OutputMark& mark);
    void append(const Frame& frame) override;
    OutputMark sync() override;
    OutputMark finish() override;

  private:
    DcdWriter(AppendFile file, std::int64_t atoms, std::string title)
        : file_(std::move(file)), atoms_(atoms), title_(std::move(title)) {}

    AppendFile file_;
    std::int64_t atoms_;
    std::string title_;
    bool cell_ = false;
    std::int64_t frames_ = 0;
    // Of the first two frames.
    std::int64_t first_step_ = 0, second_step_ = 0;
    double first_time_ = 0.0, second_time_ = 0.0;
    ByteSink out_{std::endian::little};

    void put_header();
    void patch_header();
};

}  // namespace mdsim
