// SPDX-License-Identifier: Apache-2.0
#include "run/output/trace_file.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/version.h"

namespace mdsim {

namespace {

using Json = nlohmann::ordered_json;

/// Whole nanoseconds, so that the end of a span and the beginning of the next are told apart or equal, never mixed up.
struct Event {
    const Trace::Span* span;
    std::int64_t begin, end;
};

std::vector<Event> events_of(const Trace& trace) {
    std::vector<Event> events;
    for (const Trace::Span& span : trace.spans()) {
        const Trace::Row& row = trace.rows()[span.row];
        const auto nanoseconds = [&](double time) { return std::llround(1e9 * (row.start + row.rate * time)); };
        events.push_back({&span, nanoseconds(span.begin), nanoseconds(span.end)});
    }
    // What encloses comes before what is in it.
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    return events;
}

/// Viewers take 0 for no process and no thread.
struct Ids {
    std::int64_t process = 0, thread = 0;
};

std::vector<Ids> ids_of(const std::vector<Trace::Row>& rows) {
    std::vector<std::string> processes;
    std::vector<Ids> ids;
    for (const Trace::Row& row : rows) {
        const auto found = std::find(processes.begin(), processes.end(), row.process);
        const auto process = found - processes.begin() + 1;
        if (found == processes.end()) processes.push_back(row.process);
        ids.push_back({process, static_cast<std::int64_t>(ids.size()) + 1});
    }
    return ids;
}

Json name_event(const char* kind, const Ids& ids, const std::string& name) {
    return {{"name", kind}, {"ph", "M"}, {"pid", ids.process}, {"tid", ids.thread}, {"args", {{"name", name}}}};
}

}  // namespace

std::string as_trace_events(const Trace& trace) {
    const std::vector<Ids> ids = ids_of(trace.rows());
    Json events = Json::array();
    for (std::size_t row = 0; row < ids.size(); ++row) {
        events.push_back(name_event("process_name", ids[row], trace.rows()[row].process));
        events.push_back(name_event("thread_name", ids[row], trace.rows()[row].name));
    }
    for (const Event& event : events_of(trace)) {
        const Ids& of_row = ids[event.span->row];
        events.push_back({{"name", event.span->name},
                          {"ph", "X"},
                          {"ts", static_cast<double>(event.begin) / 1e3},
                          {"dur", static_cast<double>(event.end - event.begin) / 1e3},
                          {"pid", of_row.process},
                          {"tid", of_row.thread},
                          {"args", {{"step", event.span->step}}}});
    }
    return Json{{"displayTimeUnit", "ms"}, {"otherData", {{"mdsim", version}}}, {"traceEvents", events}}.dump(1) + "\n";
}

}  // namespace mdsim
