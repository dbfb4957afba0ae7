// SPDX-License-Identifier: Apache-2.0
#include "run/output/run_log.h"

#include <cstdio>
#include <unistd.h>

namespace mdsim {

RunLog::RunLog(AppendFile file, Terminal terminal)
    : file_(std::move(file)),
      terminal_(terminal),
      interactive_(::isatty(STDOUT_FILENO) == 1),
      last_progress_(Clock::now() - std::chrono::seconds(10)) {}

void RunLog::clear_progress() {
    if (!progress_shown_) return;
    std::fputs("\r\033[K", stdout);
    progress_shown_ = false;
}

void RunLog::line(std::string_view text) {
    file_.append(text);
    file_.append("\n");
    file_.flush();
    say(text);
}

void RunLog::say(std::string_view text) {
    if (terminal_ == Terminal::quiet) return;
    clear_progress();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

void RunLog::progress(std::string_view text) {
    if (terminal_ == Terminal::quiet) return;
    const auto now = Clock::now();
    const auto interval = interactive_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
    if (now - last_progress_ < interval) return;
    last_progress_ = now;
    if (!interactive_) return say(text);
    clear_progress();
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
    progress_shown_ = true;
}

}  // namespace mdsim
