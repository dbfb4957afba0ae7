// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace mdsim {

enum class Terminal { quiet, speaks };

/// NAME.log, shown on the terminal as well, and the progress line of the terminal. A terminal that takes no more (a
/// pipe that is closed, a full disk) does not end the run: this is said once on standard error, and the file goes on.
class RunLog {
  public:
    /// Takes a line for the file.
    using Note = std::function<void(std::string)>;

    /// Of a rank that does not lead: says nothing.
    RunLog()
        : RunLog(
              {}, [](std::string) {}, Terminal::quiet) {}
    /// file: its name, for messages.
    RunLog(std::filesystem::path file, Note note, Terminal terminal);

    /// To the file and the terminal. Lines end here.
    void line(std::string_view text);
    /// To the file alone.
    void note(std::string_view text) { note_(std::string(text)); }
    /// To the terminal alone: what is true of this invocation only (a continuation leaves no trace in the file, so that
    /// an interrupted run and an uninterrupted one have the same log).
    void say(std::string_view text);
    /// Replaces the progress line; on a terminal at most ten times a second, else a plain line every ten seconds.
    void progress(std::string_view text);

  private:
    using Clock = std::chrono::steady_clock;
    std::filesystem::path file_;
    Note note_;
    Terminal terminal_;
    bool interactive_;
    bool progress_shown_ = false;
    bool gone_ = false;  ///< the terminal takes no more
    Clock::time_point last_progress_;

    void print(std::string_view text);
};

}  // namespace mdsim
