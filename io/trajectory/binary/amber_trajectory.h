// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/netcdf/netcdf_file.h"
#include "io/output/append_file.h"
#include "io/trajectory/binary/byte_sink.h"
#include "io/trajectory/binary/byte_source.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_reader.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

// AMBER trajectories in NetCDF ("AMBER NetCDF trajectory/restart convention", ambermd.org/netcdf/nctraj.xhtml): classic
// format, Angstrom, ps, kcal/mol/A, velocities in A per 1/20.455 ps; cells as lengths and angles.

/// Errors: MD303 with file and byte.
class AmberTrajectoryReader final : public TrajectoryReader {
  public:
    explicit AmberTrajectoryReader(const std::filesystem::path& path);

    std::int64_t atoms() const override { return atoms_; }
    std::optional<std::int64_t> frames() const override { return frames_; }
    bool read(StoredFrame& frame) override;
    void seek(std::int64_t frame) override;
    double progress() const override;

  private:
    NetcdfFile header_;
    ByteSource in_;
    std::int64_t atoms_ = 0, frames_ = 0;

    void require_convention();
    void require_variable(const std::string& name, const std::vector<std::int64_t>& shape);
    void go_to(const std::string& name);
    double unit_of(const std::string& name, double of_convention) const;
    void read_vectors(const std::string& name, std::size_t count, double unit, std::vector<Vec3d>& out);
    Cell read_cell();
};

/// Positions, velocities, forces and times in single precision, as the convention asks; 64-bit offsets.
class AmberTrajectoryWriter final : public TrajectoryWriter {
  public:
    static AmberTrajectoryWriter create(const std::filesystem::path& path, const TrajectoryInfo& info);
    static AmberTrajectoryWriter reopen(const std::filesystem::path& path, const TrajectoryInfo& info,
                                        const OutputMark& mark);
    void append(const Frame& frame) override;
    OutputMark sync() override;
    OutputMark finish() override;

  private:
    AmberTrajectoryWriter(AppendFile file, const TrajectoryInfo& info);

    AppendFile file_;
    std::int64_t atoms_;
    std::string title_;
    WithVelocities velocities_;
    WithForces forces_;
    bool cell_ = false;
    std::int64_t frames_ = 0;
    ByteSink out_{std::endian::big};

    void put_header();
};

}  // namespace mdsim
