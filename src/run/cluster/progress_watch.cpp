// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/progress_watch.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/file_lock.h"
#include "parallel/side_thread.h"

namespace mdsim {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double times_the_longest = 10.0;

}  // namespace

ProgressWatch::ProgressWatch(Settings settings) : settings_(std::move(settings)) {
    if (settings_.give_up_after > 0.0) thread_ = side_thread([this] { watch(); });
}

ProgressWatch::~ProgressWatch() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    over_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void ProgressWatch::watch() {
    const double tick = std::clamp(settings_.give_up_after / 50.0, 0.01, 1.0);
    const double later = settings_.rank == 0 ? 0.0 : 2.0 + std::min(1.0, 0.02 * settings_.rank);
    double quiet = 0.0, longest = 0.0;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (auto before = Clock::now();
         !over_.wait_for(lock, std::chrono::duration<double>(tick), [&] { return ends_; });) {
        const auto now = Clock::now();
        // Where this thread slept much longer than it asked for, the others stood still as well.
        quiet += std::min(std::chrono::duration<double>(now - before).count(), 2.0 * tick);
        before = now;
        if (const std::uint64_t count = count_.load(std::memory_order_relaxed); count != seen) {
            longest = std::max(longest, quiet);
            quiet = 0.0;
            seen = count;
        }
        if (quiet < std::max(settings_.give_up_after, times_the_longest * longest) + later) continue;
        settings_.give_up(message(quiet));
        return;
    }
}

std::string ProgressWatch::message(double seconds) const {
    return to_text({.code = "MD802",
                    .what = fmt::format("rank {} on host {} has finished no step for {:.0f} s", settings_.rank,
                                        host_name(), seconds),
                    .why = "another rank, its host, the network or a file system does not answer any more",
                    .remedy = "run the same command again: it goes on from the last checkpoint; "
                              "hardware.give_up_after says how long to wait"});
}

void ProgressWatch::end_process(const std::string& message) {
    const std::string line = message + "\n";
    pollfd wanted{STDERR_FILENO, POLLOUT, 0};
    // Whoever reads standard error may be what does not answer.
    if (::poll(&wanted, 1, 1000) == 1 && ::write(STDERR_FILENO, line.data(), line.size()) < 0) {
        // Nobody is left to tell.
    }
    ::_exit(static_cast<int>(ExitCode::stopped));
}

}  // namespace mdsim
