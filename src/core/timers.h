// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "core/trace.h"

namespace mdsim {

/// The parts of a step that the log and `mdsim bench` report.
enum class Part : int {
    search,
    short_range,
    mesh,
    bonded,
    device_launch,  ///< the host puts work into streams of a device
    device_wait,    ///< the host has nothing else to do than to wait for a device, and takes its forces over
    update,
    constraints,
    communication,
    output,
    count
};

constexpr std::string_view name_of(Part part) {
    constexpr std::array<std::string_view, static_cast<std::size_t>(Part::count)> names{
        "search", "short_range", "mesh",        "bonded",        "launch",
        "wait",   "update",      "constraints", "communication", "output"};
    return names[static_cast<std::size_t>(part)];
}

class ScopedTimer;

/// Wall time per part [s]. Filled by the thread that runs the loop.
class Timers {
  public:
    double seconds(Part part) const { return seconds_[static_cast<std::size_t>(part)]; }
    void add(Part part, double seconds) { seconds_[static_cast<std::size_t>(part)] += seconds; }
    void reset() { seconds_.fill(0.0); }
    /// What is timed goes to the trace as well, from now on; nullptr: no more.
    void record_in(Trace* trace) { trace_ = trace; }
    Trace* trace() const { return trace_; }

  private:
    friend class ScopedTimer;
    ScopedTimer* running_ = nullptr;  // the innermost one
    Trace* trace_ = nullptr;
    std::array<double, static_cast<std::size_t>(Part::count)> seconds_{};
};

/// Adds the time from its construction to its destruction to one part. What is timed within it is counted there alone.
class ScopedTimer {
  public:
    ScopedTimer(Timers& timers, Part part)
        : timers_(timers), part_(part), around_(std::exchange(timers.running_, this)), start_(Clock::now()) {}
    ~ScopedTimer() { stop(); }
    /// The time is over; what follows is not counted.
    void stop() {
        if (stopped_) return;
        stopped_ = true;
        const auto end = Clock::now();
        const double whole = std::chrono::duration<double>(end - start_).count(), seconds = whole - within_;
        timers_.running_ = around_;
        if (around_ != nullptr) around_->within_ += whole;
        timers_.add(part_, (1.0 - share_) * seconds);
        if (share_ > 0.0) timers_.add(other_, share_ * seconds);
        if (Trace* trace = timers_.trace()) record_in(*trace, end);
    }
    /// Counts a share of the time, 0 to 1, under another part.
    void give(Part other, double share) {
        other_ = other;
        share_ = share;
    }
    ScopedTimer(const ScopedTimer&) = delete;
    ScopedTimer& operator=(const ScopedTimer&) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    Timers& timers_;
    Part part_;
    Part other_ = Part::count;
    double share_ = 0.0;
    double within_ = 0.0;  // of timers within this one [s]
    bool stopped_ = false;
    ScopedTimer* around_;
    Clock::time_point start_;

    // The share of another part is shown at the end, wherever it was.
    void record_in(Trace& trace, Clock::time_point end) const {
        trace.add(name_of(part_), start_, end);
        const auto of_other = std::chrono::duration_cast<Clock::duration>(share_ * (end - start_));
        if (share_ > 0.0) trace.add(name_of(other_), end - of_other, end);
    }
};

/// Time that one thread spends in calls of `run` [s].
class Stopwatch {
  public:
    template <class F>
    void run(F&& f) {
        const auto start = Clock::now();
        f();
        seconds_ += std::chrono::duration<double>(Clock::now() - start).count();
    }
    void add(const Stopwatch& other) { seconds_ += other.seconds_; }
    double seconds() const { return seconds_; }

  private:
    using Clock = std::chrono::steady_clock;
    double seconds_ = 0.0;
};

}  // namespace mdsim
