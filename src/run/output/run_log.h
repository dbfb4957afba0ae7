// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "io/output/append_file.h"

namespace mdsim {

enum class Terminal { quiet, speaks };

/// NAME.log, shown on the terminal as well, and the progress line of the terminal.
class RunLog {
  public:
    RunLog(AppendFile file, Terminal terminal);

    /// To the file and the terminal. Lines end here.
    void line(std::string_view text);
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
    Clock::time_point last_progress_;

    void clear_progress();
};

}  // namespace mdsim
