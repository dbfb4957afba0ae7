// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "io/trajectory/trajectory_format.h"
#include "io/trajectory/trajectory_info.h"
#include "io/trajectory/trajectory_reader.h"
#include "io/trajectory/trajectory_writer.h"

namespace mdsim {

/// Opens a trajectory or structure file of any format that mdsim reads, by the end of its name; HDF5 and NetCDF files
/// by their first bytes, too. Throws an input error that names the file where it is none (MD309) or is damaged.
std::unique_ptr<TrajectoryReader> open_trajectory(const std::filesystem::path& path);

/// A new file for frames, or (mark given) one that is cut back to it and continued. Refuses to overwrite. Every failure
/// is an Error that names the file.
std::unique_ptr<TrajectoryWriter> make_trajectory_writer(const std::filesystem::path& path, TrajectoryFormat format,
                                                         const TrajectoryInfo& info, const OutputMark* mark = nullptr);

/// What a writer of this format makes beside the file.
std::vector<std::filesystem::path> files_beside(const std::filesystem::path& path, TrajectoryFormat format);
/// After the file and those beside it have got other names: mends those that name others of them, and the link that
/// leads to it.
void mend_moved(const std::filesystem::path& path);

}  // namespace mdsim
