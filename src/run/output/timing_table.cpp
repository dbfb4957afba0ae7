// SPDX-License-Identifier: Apache-2.0
#include "run/output/timing_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace mdsim {

namespace {

std::string speed(const Pace& pace) {
    const double per_step = pace.seconds / static_cast<double>(pace.steps);
    const double ns_per_day = 86400.0 / per_step * pace.timestep * 1e-3;
    return fmt::format("  {:.2f} ns/day  {:.3f} hours/ns  {:.3f} ms/step  {:.3f} million atom-steps/s", ns_per_day,
                       24.0 / ns_per_day, 1e3 * per_step, 1e-6 * static_cast<double>(pace.atoms) / per_step);
}

std::string shares(const Timers& timers, double seconds) {
    std::string text = "  share of time:";
    for (int p = 0; p < static_cast<int>(Part::count); ++p) {
        const Part part = static_cast<Part>(p);
        text += fmt::format(" {} {:.1f} %", name_of(part), 100.0 * timers.seconds(part) / seconds);
    }
    return text;
}

void add_device(std::vector<std::string>& lines, const gpu::Timeline& timeline, std::int64_t steps) {
    const gpu::DeviceTimes& times = timeline.times();
    if (times.measured == 0) return;
    const DeviceStep step = device_step(times, steps);
    lines.push_back(fmt::format("  device: {}, ms/step (mean of {} evaluations out of {})",
                                timeline.device().info().name, times.measured, times.evaluations));
    for (const auto& [name, ms] : step.operations) lines.push_back(fmt::format("  device: {:>10.4f}  {}", ms, name));
    lines.push_back(fmt::format("  device: {:>10.4f}  busy, with one of them or more", step.busy));
    lines.push_back(fmt::format("  device: {:>10.4f}  waited for by the CPU", step.waited));
    lines.push_back(
        fmt::format("  device: {:>10.4f}  hidden behind the CPU's own work, {:.0f} % (busy less launching and waiting: "
                    "at least so much)",
                    step.hidden, step.busy > 0.0 ? 100.0 * step.hidden / step.busy : 0.0));
}

}  // namespace

DeviceStep device_step(const gpu::DeviceTimes& times, std::int64_t steps) {
    if (times.measured == 0 || steps == 0) return {};
    // A step may have several evaluations: those of a Monte Carlo barostat.
    const double ms =
        1e3 / static_cast<double>(times.measured) * static_cast<double>(times.evaluations) / static_cast<double>(steps);
    DeviceStep step{.busy = ms * times.busy, .waited = ms * times.waited, .hidden = ms * times.hidden};
    for (const auto& operation : times.operations) {
        step.operations.emplace_back(std::string(operation.name), ms * operation.seconds);
    }
    std::stable_sort(step.operations.begin(), step.operations.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return step;
}

std::vector<std::string> device_tables(const ForceSet& forces, std::int64_t steps) {
    std::vector<std::string> lines;
    for (const gpu::Timeline* timeline : forces.timelines()) add_device(lines, *timeline, steps);
    return lines;
}

std::vector<std::string> timing_table(ForceSet& forces, const Pace& pace) {
    if (pace.steps <= 0) return {};
    std::vector<std::string> lines{speed(pace), shares(forces.timers(), pace.seconds)};
    for (std::string& line : device_tables(forces, pace.steps)) lines.push_back(std::move(line));
    return lines;
}

}  // namespace mdsim
