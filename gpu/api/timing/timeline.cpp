// SPDX-License-Identifier: Apache-2.0
#include "gpu/api/timing/timeline.h"

#include <algorithm>
#include <utility>

#include "core/error.h"

namespace mdsim::gpu {

namespace {

constexpr std::size_t usual_operations = 64;
// A prime, so that the sample is in step with no cadence of output or coupling. Events of 20 operations take the host
// about 40 microseconds.
constexpr int usual_cadence = 31;
// The first ones make a device load its kernels, with energies and without.
constexpr int first_measured = 3;

double seconds_between(Trace::Clock::time_point a, Trace::Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

}  // namespace

Timeline::Timeline(const Device& device, std::vector<Row> rows)
    : device_(device),
      rows_(std::move(rows)),
      every_(usual_cadence),
      trace_begin_{Event(device), 0.0},
      trace_end_{Event(device), 0.0} {
    make_room(usual_operations);
    times_.operations.reserve(usual_operations);
}

Timeline::~Timeline() {
    stop_measuring();
}

void Timeline::make_room(std::size_t operations) {
    while (room() < operations) {
        events_.emplace_back(device_);
        events_.emplace_back(device_);
    }
    operations_.reserve(operations);
}

void Timeline::measure_every(int n) {
    MDSIM_EXPECT(n > 0);
    every_ = n;
    times_.operations.clear();  // and keeps its room
    times_ = {.operations = std::move(times_.operations)};
}

void Timeline::begin_evaluation() {
    operations_.clear();
    put_ = 0;
    measuring_ = trace_ != nullptr || times_.evaluations % every_ == std::min(first_measured, every_ - 1);
    ++times_.evaluations;
    for (const Row& row : rows_) row.stream->measure(measuring_ ? this : nullptr);
}

void Timeline::stop_measuring() {
    measuring_ = false;
    for (const Row& row : rows_) row.stream->measure(nullptr);
}

void Timeline::begin(Stream& stream, std::string_view name) {
    if (put_ == 0) first_put_ = Clock::now();
    if (put_++ >= room()) return;
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.stream == &stream; });
    operations_.push_back({name, static_cast<std::size_t>(row - rows_.begin())});
    events_[2 * put_ - 2].record(stream);
}

void Timeline::end(Stream& stream) {
    if (put_ <= room()) events_[2 * put_ - 1].record(stream);
}

void Timeline::end_evaluation(Clock::time_point wait_began, Clock::time_point wait_ended) {
    stop_measuring();
    if (put_ > room()) return make_room(2 * put_);  // the next one is measured in full
    read_events();
    if (trace_ != nullptr) add_to_trace();
    const double launching = operations_.empty() ? 0.0 : seconds_between(first_put_, launched_);
    add_to_times(launching, seconds_between(wait_began, wait_ended));
}

void Timeline::read_events() {
    const Event& origin = trace_ != nullptr ? trace_begin_.event : events_.front();
    for (std::size_t i = 0; i < operations_.size(); ++i) {
        operations_[i].begin = events_[2 * i].seconds_since(origin);
        operations_[i].end = events_[2 * i + 1].seconds_since(origin);
    }
}

void Timeline::add_to_trace() const {
    for (const Operation& o : operations_) trace_->add(first_trace_row_ + o.row, o.name, o.begin, o.end);
}

void Timeline::add_to_times(double launching, double waited) {
    auto& all = times_.operations;
    for (const Operation& o : operations_) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.name == o.name; });
        DeviceTimes::Operation& total = found == all.end() ? all.emplace_back(o.name) : *found;
        total.seconds += o.end - o.begin;
        ++total.count;
    }
    const double busy = busy_seconds();
    times_.busy += busy;
    times_.waited += waited;
    times_.hidden += std::max(0.0, busy - launching - waited);
    ++times_.measured;
}

// Streams overlap: what is covered by any of their operations. Sorts these.
double Timeline::busy_seconds() {
    std::sort(operations_.begin(), operations_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    double busy = 0.0, covered = operations_.empty() ? 0.0 : operations_.front().begin;
    for (const Operation& o : operations_) {
        busy += std::max(0.0, o.end - std::max(covered, o.begin));
        covered = std::max(covered, o.end);
    }
    return busy;
}

// The device comes by the event somewhere between the two looks at the host's clock. Again where something came
// between.
void Timeline::take(Moment& moment) {
    constexpr double usual = 50e-6;  // [s]
    double before = 0.0, after = usual;
    for (int attempt = 0; attempt < 10 && after - before >= usual; ++attempt) {
        before = trace_->seconds(Clock::now());
        moment.event.record(*rows_.front().stream);
        moment.event.finish();
        after = trace_->seconds(Clock::now());
    }
    moment.host = 0.5 * (before + after);
}

void Timeline::begin_trace(Trace& trace) {
    trace_ = &trace;
    first_trace_row_ = trace.rows().size();
    for (const Row& row : rows_) trace.add_row(device_.info().name, row.name);
    take(trace_begin_);
}

void Timeline::end_trace() {
    take(trace_end_);
    const double of_device = trace_end_.event.seconds_since(trace_begin_.event);
    const double rate = of_device > 0.0 ? (trace_end_.host - trace_begin_.host) / of_device : 1.0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        trace_->set_clock(first_trace_row_ + i, trace_begin_.host, rate);
    }
    trace_ = nullptr;
}

}  // namespace mdsim::gpu
