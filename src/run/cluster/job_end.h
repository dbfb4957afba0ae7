// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "run/cluster/environment.h"

namespace mdsim {

using WallTime = std::chrono::system_clock::time_point;

/// When the batch job that this process belongs to will be ended.
struct JobEnd {
    std::optional<WallTime> at;  ///< none: no job, no limit, or not known
    std::string source;          ///< what says so
    std::string warning;         ///< where there is a job and its end is not known
};

/// Runs a command; what it prints, or nothing where it cannot be run, fails or takes too long.
using Ask = std::function<std::optional<std::string>(const std::vector<std::string>& command)>;

/// MDSIM_JOB_END (seconds since 1970, for batch systems other than Slurm; MD112 where it is anything else), else
/// SLURM_JOB_END_TIME, else what scontrol says of the job. An end that is over already is none.
JobEnd find_job_end(const Environment& environment, const Ask& ask, WallTime now);

/// "2026-01-31T12:00:00" as scontrol prints it, in the time zone of this machine.
std::optional<WallTime> local_time(const std::string& text);
/// The same in UTC with a Z, as logs have it.
std::string as_utc(WallTime time);

/// Waits up to `seconds` for the command, then ends it.
std::optional<std::string> ask_command(const std::vector<std::string>& command, double seconds);

}  // namespace mdsim
