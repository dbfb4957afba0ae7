// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "run/cluster/job_end.h"

namespace mdsim {

/// Says when a run has to stop so that its last checkpoint is on disk before its batch job ends. It learns from the
/// run how long a checkpoint and a step take.
class StopClock {
  public:
    /// Never due.
    StopClock() = default;
    /// spare: time left over at the end [s]; none: a tenth of what the job has left now, 60 s at most.
    StopClock(const JobEnd& end, std::optional<double> spare, WallTime now);

    /// Asked between steps, and by that it learns how long they take.
    bool due(WallTime now);
    /// 0: there was none yet.
    void checkpoint_took(double seconds);

    /// Time before the end at which it is due [s]: what is spared, twice the longest checkpoint (before there was one,
    /// twice 5 s), and the longest time between two questions, since the next one may come as late. No more than half
    /// of what there was at first: a job that is too short for all that gets further, too.
    double reserve() const;
    /// "the job ends at 2026-01-31T12:00:00Z (scontrol), ...", for the log.
    std::string describe() const;

  private:
    std::optional<WallTime> end_, last_asked_;
    std::string source_;
    double spare_ = 0.0, most_ = 0.0;  ///< [s]
    double checkpoint_ = 0.0;          ///< the longest so far [s]
    double between_ = 0.0;             ///< the longest time between two questions [s]
};

}  // namespace mdsim
