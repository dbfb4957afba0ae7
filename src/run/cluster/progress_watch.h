// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace mdsim {

/// Ends a process that makes no progress: a rank whose partner's host has died waits in MPI for ever.
///
/// A thread of its own looks at a counter. It calls nothing of MPI, writes to no file of the run and changes nothing:
/// the last checkpoint stays as it is. Time in which the whole process stood still (a debugger, a suspended job) does
/// not count.
class ProgressWatch {
  public:
    struct Settings {
        double give_up_after = 600.0;  ///< [s]; 0: never. At least 10 times the longest time between two steps so far
        int rank = 0;                  ///< the first one speaks first, the others 2 s later where they still are
        /// What ends the process; for tests.
        std::function<void(const std::string& message)> give_up = end_process;
    };

    explicit ProgressWatch(Settings settings);
    ~ProgressWatch();
    ProgressWatch(const ProgressWatch&) = delete;
    ProgressWatch& operator=(const ProgressWatch&) = delete;

    /// A step was finished, or something as good. From any thread.
    void progress() { count_.fetch_add(1, std::memory_order_relaxed); }

    /// Prints it on standard error, unless that takes no text for a second, and leaves with exit code 75 at once.
    [[noreturn]] static void end_process(const std::string& message);

  private:
    Settings settings_;
    std::atomic<std::uint64_t> count_{0};
    std::mutex mutex_;
    std::condition_variable over_;
    bool ends_ = false;
    std::thread thread_;

    void watch();
    std::string message(double seconds) const;
};

}  // namespace mdsim
