// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

#include "run/commands/commands.h"
#include "run/record/run_view.h"

namespace mdsim {

// On a terminal the view is drawn anew over itself until the run ends; anywhere else it is printed once.
ExitCode watch_command(const WatchOptions& options) {
    RunObserver observer(require_run(options.run));
    const bool again = !options.once && !options.json && ::isatty(STDOUT_FILENO) == 1;
    for (;;) {
        const RunState state = observer.look();
        if (options.json) {
            fmt::print("{}", json_of(observer.paths(), state));
            return ExitCode::finished;
        }
        const std::vector<std::string> lines = view_of(observer.paths(), state);
        // A line that is longer than the terminal is cut, so that the number of lines is known.
        if (again) fmt::print("\033[?7l");
        for (const std::string& line : lines) fmt::print("{}\n", line);
        if (again) fmt::print("\033[?7h");
        if (!again || state.status != RunStatus::running) return ExitCode::finished;
        std::fflush(stdout);
        std::this_thread::sleep_for(std::chrono::duration<double>(options.every));
        fmt::print("\033[{}A\033[J", lines.size());
    }
}

}  // namespace mdsim
