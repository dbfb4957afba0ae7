// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "io/output/append_file.h"
#include "io/trajectory/binary/byte_sink.h"
#include "io/trajectory/binary/byte_source.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_reader.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

// TRR of GROMACS: XDR, positions, velocities and forces in nm, ps and kJ/mol, single or double precision, any of them
// absent from a frame. Layout: src/gromacs/fileio/trrio.cpp of GROMACS 2022 (read for the layout of the file).

/// Errors: MD314 with file and byte. Frames without positions (of velocities or forces alone) are passed over.
class TrrReader final : public TrajectoryReader {
  public:
    explicit TrrReader(const std::filesystem::path& path);

    std::int64_t atoms() const override { return atoms_; }
    std::optional<std::int64_t> frames() const override { return std::nullopt; }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override;
    double progress() const override;

  private:
    struct Header {
        std::uint32_t box = 0, virial = 0, pressure = 0, x = 0, v = 0, f = 0;  // [bytes]
        std::int64_t atoms = 0, step = 0;
        int real = 4;
        double time = 0.0;

        std::uint64_t body() const { return std::uint64_t{box} + virial + pressure + x + v + f; }
    };
    ByteSource in_;
    std::int64_t atoms_ = -1;

    Header header();
    bool header_with_positions(Header& header);
    void check_sizes(const Header& header);
};

/// Single precision.
class TrrWriter final : public TrajectoryWriter {
  public:
    TrrWriter(AppendFile file, const TrajectoryInfo& info)
        : file_(std::move(file)), velocities_(info.velocities), forces_(info.forces) {}
    void append(const Frame& frame) override;
    OutputMark sync() override { return file_.sync(); }

  private:
    AppendFile file_;
    WithVelocities velocities_;
    WithForces forces_;
    ByteSink out_{std::endian::big};
};

}  // namespace mdsim
