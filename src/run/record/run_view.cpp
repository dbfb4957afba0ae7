// SPDX-License-Identifier: Apache-2.0
#include "run/record/run_view.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "io/tables/energies_reader.h"

namespace mdsim {

namespace {

constexpr std::size_t spark_width = 48;
constexpr std::uint64_t tail = 256 * 1024;  // [bytes] of the table of energies that are shown

std::string bar(double share) {
    constexpr int width = 30;
    const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
    std::string text(width, '-');
    text.replace(0, static_cast<std::size_t>(full), static_cast<std::size_t>(full), '#');
    return fmt::format("[{}]", text);
}

std::string status_line(const RunPaths& paths, const RunState& state) {
    std::string text = fmt::format("{}: {}", paths.name, name_of(state.status));
    switch (state.status) {
        case RunStatus::running:
            return text + fmt::format(", {}; last sign of life {:.0f} s ago", state.owner, std::max(state.silent, 0.0));
        case RunStatus::finished:
            return text;
        case RunStatus::interrupted:
            return text + ": no process works on it, and its log has no end (a kill, a crash, a host that went down)";
        default:
            return state.record.reason.empty() ? text : text + ", " + state.record.reason;
    }
}

std::string stage_line(const RunState& state) {
    const PlannedStage* stage = state.planned();
    if (stage == nullptr) return "no stage has begun";
    std::string text = fmt::format("stage {} of {}: {}  ", state.stage, state.plan.size(), stage->name);
    if (!stage->dynamics) {
        const std::int64_t done = state.iteration ? state.iteration->iteration : 0;
        text += fmt::format("minimisation, iteration {} of at most {}", done, stage->steps);
        if (state.iteration) text += fmt::format(", largest force {} kJ/mol/nm", state.iteration->max_force);
        return text;
    }
    const auto done = static_cast<double>(state.step - state.stage_start), all = static_cast<double>(stage->steps);
    return text + fmt::format("{} {:.0f} %  step {} of {}  {} ps", bar(done / all), 100.0 * done / all, state.step,
                              state.stage_start + stage->steps, state.time);
}

std::string speed_line(const RunState& state) {
    if (state.ms_per_step <= 0.0) return "speed: not known yet";
    std::string text = fmt::format("{:.2f} ns/day, {:.3f} ms/step", state.ns_per_day(), state.ms_per_step);
    if (state.status == RunStatus::finished) return text;
    return text + fmt::format("; to go: {} for this stage, {} for all", duration_text(state.stage_seconds_left()),
                              duration_text(state.seconds_left()));
}

std::string checkpoint_line(const RunState& state) {
    if (!state.checkpoint_step) return "no checkpoint yet";
    std::string text = fmt::format("checkpoint at step {}, {} ago", *state.checkpoint_step,
                                   duration_text(state.checkpoint_age.value_or(0.0)));
    const bool goes_on = state.status == RunStatus::stopped || state.status == RunStatus::failed ||
                         state.status == RunStatus::interrupted;
    return goes_on ? text + fmt::format("; mdsim -i {} goes on from there", state.record.input) : text;
}

struct Course {
    const char* name;
    const char* unit;
    int digits;
};
constexpr std::array courses{Course{"temperature", "K", 2}, Course{"potential", "kJ/mol", 1},
                             Course{"total", "kJ/mol", 1},  Course{"conserved", "kJ/mol", 1},
                             Course{"pressure", "bar", 1},  Course{"density", "kg/m^3", 2}};

std::vector<std::string> course_lines(const RunPaths& paths) {
    std::error_code none;
    if (!std::filesystem::exists(paths.file(".energies.csv"), none)) return {};
    std::vector<std::string> names{"time"};
    for (const Course& course : courses) names.emplace_back(course.name);
    const auto columns = read_energies(paths.file(".energies.csv"), names, tail);
    const std::vector<double>& times = columns[0];
    if (times.empty()) return {};
    std::vector<std::string> lines{fmt::format("from {} to {} ps:", times.front(), times.back())};
    for (std::size_t n = 0; n < courses.size(); ++n) {
        const std::vector<double>& values = columns[n + 1];
        if (values.empty()) continue;
        lines.push_back(fmt::format("  {:<11} {:>14.{}f} {:<7} {}", courses[n].name, values.back(), courses[n].digits,
                                    courses[n].unit, sparkline(values, spark_width)));
    }
    return lines;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width) {
    constexpr std::array<const char*, 8> signs{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    const std::size_t count = std::min(values.size(), width);
    std::vector<double> heights;
    for (std::size_t n = 0; n < count; ++n) {
        const std::size_t first = values.size() * n / count, last = values.size() * (n + 1) / count;
        double sum = 0.0;
        for (std::size_t i = first; i < last; ++i) sum += values[i];
        heights.push_back(sum / static_cast<double>(last - first));
    }
    if (heights.empty()) return {};
    const auto [low, high] = std::minmax_element(heights.begin(), heights.end());
    std::string line;
    for (const double height : heights) {
        const double share = *high > *low ? (height - *low) / (*high - *low) : 0.5;
        // What is no number is shown as nothing.
        line += std::isfinite(share) ? signs[static_cast<std::size_t>(std::min(7.0, 8.0 * share))] : " ";
    }
    return line;
}

std::string duration_text(double seconds) {
    const auto s = static_cast<std::int64_t>(std::max(seconds, 0.0));
    const std::string clock = fmt::format("{}:{:02}:{:02}", s / 3600 % 24, s / 60 % 60, s % 60);
    return s < 86400 ? clock : fmt::format("{} d {}", s / 86400, clock);
}

std::vector<std::string> view_of(const RunPaths& paths, const RunState& state) {
    std::vector<std::string> lines{status_line(paths, state), stage_line(state), speed_line(state),
                                   checkpoint_line(state)};
    lines.insert(lines.end(), state.record.error.begin(), state.record.error.end());
    for (const std::string& warning : state.record.warnings) lines.push_back("warning: " + warning);
    for (std::string& line : course_lines(paths)) lines.push_back(std::move(line));
    return lines;
}

std::string json_of(const RunPaths& paths, const RunState& state) {
    nlohmann::ordered_json out{{"name", paths.name}, {"status", name_of(state.status)}};
    if (!state.owner.empty()) out["owner"] = state.owner;
    out["stage"] = state.stage;
    out["stages"] = state.plan.size();
    if (const PlannedStage* stage = state.planned()) {
        out["stage_name"] = stage->name;
        out["stage_kind"] = stage->dynamics ? "dynamics" : "minimise";
        if (stage->dynamics) out["stage_last_step"] = state.stage_start + stage->steps;
    }
    if (state.iteration) out["iteration"] = state.iteration->iteration;
    out["step"] = state.step;
    out["time"] = state.time;
    if (state.ms_per_step > 0.0) {
        out["ms_per_step"] = state.ms_per_step;
        out["ns_per_day"] = state.ns_per_day();
        out["stage_seconds_left"] = state.stage_seconds_left();
        out["seconds_left"] = state.seconds_left();
    }
    if (state.checkpoint_step) out["checkpoint_step"] = *state.checkpoint_step;
    return out.dump(2) + "\n";
}

}  // namespace mdsim
