// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "io/output/append_file.h"

namespace mdsim {

enum class Terminal { quiet, speaks };

/// NAME.log, shown on the terminal as well, and the progress line of the terminal. A terminal that takes no more (a
/// pipe that is closed, a full disk) does not end the run: this is said once on standard error, and the file goes on.
class RunLog {
  public:
    RunLog(AppendFile file, Terminal terminal);

    /// To the file and the terminal. Lines end here.
    void line(std::string_view text);
    /// To the file alone.
    void note(std::string_view text);
    /// To the terminal alone: what is true of this invocation only (a continuation leaves no trace in the file, so that
    /// an interrupted run and an uninterrupted one have the same log).
    void say(std::string_view text);
    /// Replaces the progress line; on a terminal at most ten times a second, else a plain line every ten seconds.
    void progress(std::string_view text);
    OutputMark sync() { return file_.sync(); }

  private:
    using Clock = std::chrono::steady_clock;
    AppendFile file_;
    Terminal terminal_;
    bool interactive_;
    bool progress_shown_ = false;
    bool gone_ = false;  ///< the terminal takes no more
    Clock::time_point last_progress_;

    void print(std::string_view text);
};

}  // namespace mdsim
