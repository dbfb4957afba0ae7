// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analyse/measure.h"
#include "io/trajectory/trajectory_reader.h"
#include "run/output/writing/run_paths.h"

namespace mdsim {

/// Names of atoms and trajectories with their coordinates, as found for a command.
struct AnalysedFiles {
    std::string name;  ///< of the run, or of the first trajectory without its ending
    Topology topology;
    std::vector<std::filesystem::path> trajectories;
};

/// Of a run, or of files: a topology or structure for the names, and trajectories. A file that has both, such as a .pdb
/// with models or mdsim's own .h5, stands alone. topology: given apart, may be empty. Masses that a file does not have
/// are those of the elements. Input errors where there is no run, no trajectory (MD118) or there are no names (MD119).
AnalysedFiles analysed_of_run(const RunPaths& paths);
AnalysedFiles find_analysed(const std::vector<std::filesystem::path>& words, const std::filesystem::path& topology);

/// Which frames are taken.
struct FrameRange {
    std::optional<double> from, to;  ///< [ps]
    std::int64_t every = 1;          ///< of those in between
};

/// The frames of some trajectories one after the other, with molecules made whole, in the memory of one. A frame that
/// repeats the time of the one before it, as where a file goes on from another, is left out.
class TrajectorySource {
  public:
    /// files must outlive this.
    TrajectorySource(const AnalysedFiles& files, FrameRange range) : files_(files), range_(range) {}
    /// Null at the end; valid until the next call. Input error MD205 where a frame has another number of atoms.
    const analyse::Snapshot* next();
    std::int64_t taken() const { return taken_; }

  private:
    const AnalysedFiles& files_;
    FrameRange range_;
    std::size_t file_ = 0;
    std::unique_ptr<TrajectoryReader> reader_;
    StoredFrame frame_;
    Box box_;
    std::optional<analyse::Snapshot> snapshot_;
    std::optional<double> last_time_;
    std::int64_t in_range_ = 0, taken_ = 0;

    bool read();
    bool wanted();
};

}  // namespace mdsim
