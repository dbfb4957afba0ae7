// SPDX-License-Identifier: Apache-2.0
#include "run/output/run_log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace mdsim {

RunLog::RunLog(std::filesystem::path file, Note note, Terminal terminal)
    : file_(std::move(file)),
      note_(std::move(note)),
      terminal_(terminal),
      interactive_(::isatty(STDOUT_FILENO) == 1),
      last_progress_(Clock::now() - std::chrono::seconds(10)) {}

// In the place of the progress line, if one is shown.
void RunLog::print(std::string_view text) {
    if (terminal_ == Terminal::quiet || gone_) return;
    if (std::exchange(progress_shown_, false)) std::fputs("\r\033[K", stdout);
    std::fwrite(text.data(), 1, text.size(), stdout);
    if (std::fflush(stdout) == 0) return;
    gone_ = true;
    const std::string warning = fmt::format(
        "warning: standard output cannot be written ({}): the run goes on, and {} "
        "has all that would be printed\n",
        std::strerror(errno), file_.string());
    std::fputs(warning.c_str(), stderr);
}

void RunLog::line(std::string_view text) {
    note(text);
    say(text);
}

void RunLog::say(std::string_view text) {
    print(std::string(text) + '\n');
}

void RunLog::progress(std::string_view text) {
    const auto now = Clock::now();
    const auto interval = interactive_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
    if (now - last_progress_ < interval) return;
    last_progress_ = now;
    if (!interactive_) return say(text);
    print(text);
    progress_shown_ = true;
}

}  // namespace mdsim
