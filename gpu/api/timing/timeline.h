// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "core/trace.h"
#include "gpu/api/stream.h"

namespace mdsim::gpu {

/// Sums over the evaluations that were measured.
struct DeviceTimes {
    struct Operation {
        std::string_view name;  ///< of its Work: "spread_charges", "upload of positions"
        double seconds = 0.0;   ///< on the device
        std::int64_t count = 0;
    };
    std::vector<Operation> operations;  ///< in the order in which they were met
    double busy = 0.0;                  ///< with at least one operation running [s]
    double waited = 0.0;                ///< by the host [s]
    /// Busy time beyond what the host spent launching and waiting: at least so much of the device's work went on while
    /// the host did its own [s]. Zero where the host executes the operations itself, since it does so in these two.
    double hidden = 0.0;
    std::int64_t measured = 0;
    std::int64_t evaluations = 0;  ///< all of them
};

/// Measures how long a device takes for each operation that is put into its streams, by an event before it and one
/// behind. Events cost the host some microseconds, so it is done in a sample of the evaluations; in the others an
/// operation costs one branch more. Allocates nothing in a step, but once where an evaluation has more operations than
/// there are events for.
class Timeline {
  public:
    /// A stream and what to call it: "mesh".
    struct Row {
        Stream* stream;
        const char* name;
    };
    /// The streams outlive the timeline.
    Timeline(const Device& device, std::vector<Row> rows);
    ~Timeline();
    Timeline(const Timeline&) = delete;
    Timeline& operator=(const Timeline&) = delete;

    /// One evaluation: `put` puts its operations into the streams, ...
    template <class Put>
    void launch(Put&& put) {
        begin_evaluation();
        put();
        if (measuring_) launched_ = Clock::now();
    }
    /// ... and `finish` returns when all of them are done.
    template <class Finish>
    void wait(Finish&& finish) {
        const auto began = measuring_ ? Clock::now() : Clock::time_point();
        finish();
        if (measuring_) end_evaluation(began, Clock::now());
    }

    /// Every n-th evaluation is measured, but for the first few. Forgets all times.
    void measure_every(int n);
    const DeviceTimes& times() const { return times_; }
    const Device& device() const { return device_; }

    /// Every evaluation is measured from now on, and what the streams do goes to rows of the trace as well. Waits for
    /// the device, as end_trace() does: the two points in time give its clock.
    void begin_trace(Trace& trace);
    void end_trace();

    /// Used by Stream: around an operation; name: of a literal.
    void begin(Stream& stream, std::string_view name);
    void end(Stream& stream);

  private:
    using Clock = Trace::Clock;
    struct Operation {
        std::string_view name;
        std::size_t row = 0;
        double begin = 0.0, end = 0.0;  ///< [s] since the origin
    };
    struct Moment {
        Event event;
        double host = 0.0;  ///< [s] of the trace
    };

    const Device& device_;
    std::vector<Row> rows_;
    std::deque<Event> events_;           // two for each operation
    std::vector<Operation> operations_;  // of this evaluation
    std::size_t put_ = 0;                // operations, with those that found no events
    Clock::time_point first_put_, launched_;
    bool measuring_ = false;
    int every_;
    DeviceTimes times_;
    Trace* trace_ = nullptr;
    std::size_t first_trace_row_ = 0;
    Moment trace_begin_, trace_end_;

    std::size_t room() const { return events_.size() / 2; }
    void make_room(std::size_t operations);
    void begin_evaluation();
    void end_evaluation(Clock::time_point wait_began, Clock::time_point wait_ended);
    void read_events();
    void add_to_trace() const;
    void add_to_times(double launching, double waited);
    double busy_seconds();
    void stop_measuring();
    void take(Moment& moment);
};

}  // namespace mdsim::gpu
