// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "run/record/run_files.h"
#include "run/record/run_record.h"

namespace mdsim {

enum class RunStatus {
    running,
    finished,
    stopped,      ///< it said so, and can be continued
    failed,       ///< it ended with an error
    interrupted,  ///< its process is gone without a word
};
const char* name_of(RunStatus status);

/// Where a run stands, from its files alone.
struct RunState {
    RunStatus status = RunStatus::interrupted;
    std::string owner;    ///< of a running one: "process 4711 on host node7 since ..."
    double silent = 0.0;  ///< since the last sign of life of a process that holds the lock file [s]
    std::vector<PlannedStage> plan;
    int stage = 0;                          ///< from 1; 0: none has begun
    std::int64_t step = 0;                  ///< over all stages
    std::int64_t stage_start = 0;           ///< step at which this stage began
    double time = 0.0;                      ///< [ps]
    std::optional<LogIteration> iteration;  ///< of a minimisation under way
    double ms_per_step = 0.0;               ///< 0: not known yet
    std::optional<double> checkpoint_age;   ///< [s]
    std::optional<std::int64_t> checkpoint_step;
    RunRecord record;

    const PlannedStage* planned() const {
        return stage > 0 && static_cast<std::size_t>(stage) <= plan.size() ? &plan[static_cast<std::size_t>(stage) - 1]
                                                                           : nullptr;
    }
    double ns_per_day() const;
    /// Wall-clock time to the end of the stage, and of all dynamics that is planned, at this speed [s].
    double stage_seconds_left() const;
    double seconds_left() const;
};

/// Looks at the files of a run again and again, and reads a checkpoint only when there is a new one.
class RunObserver {
  public:
    explicit RunObserver(RunPaths paths) : paths_(std::move(paths)) {}
    RunState look();
    const RunPaths& paths() const { return paths_; }

  private:
    RunPaths paths_;
    std::optional<std::filesystem::file_time_type> checkpoint_time_;
    std::optional<LastCheckpoint> checkpoint_;

    void look_at_checkpoint(RunState& state);
    void look_at_lock(RunState& state) const;
};

}  // namespace mdsim
