// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/trace.h"
#include "gpu/api/timing/timeline.h"
#include "io/output/file_lock.h"
#include "parallel/threads.h"
#include "parallel/together.h"
#include "run/bench/rank_report.h"
#include "run/bench/rank_sweep.h"
#include "run/bench/timed_stage.h"
#include "run/commands/commands.h"
#include "run/hardware/process_memory.h"
#include "run/output/result_file.h"
#include "run/output/timing_table.h"
#include "run/output/trace_file.h"

namespace mdsim {

namespace {

constexpr int traced_steps = 20;

std::int64_t steps_to_time(const BenchOptions& options, const Setup& setup) {
    if (options.steps > 0) return options.steps;
    return std::clamp<std::int64_t>(10000000 / std::max<std::int64_t>(1, setup.topology.atoms()), 30, 3000);
}

/// Steps that were timed, on this rank.
struct Measured {
    double seconds = 0.0;
    TrafficCounts sent;
};

// The first third of the steps is not counted: caches, lists and the clock of the processor settle in it.
Measured time_steps(TimedStage& timed, std::int64_t steps, const Comm& world) {
    timed.step(std::max<std::int64_t>(1, steps / 3));
    ForceSet& forces = timed.simulation().forces();
    forces.timers().reset();
    const auto sample = std::clamp<std::int64_t>(steps / 10, 1, 31);
    for (gpu::Timeline* timeline : forces.timelines()) timeline->measure_every(static_cast<int>(sample));
    world.barrier();
    const TrafficCounts before = world.traffic();
    const double seconds = timed.step(steps);
    return {seconds, world.traffic() - before};
}

// These steps come after those that are timed, so that no number has the cost of recording in it.
Trace trace_steps(TimedStage& timed) {
    Trace trace("mdsim rank 0 on " + host_name());
    Simulation& simulation = timed.simulation();
    Timers& timers = simulation.forces().timers();
    timers.record_in(&trace);
    for (gpu::Timeline* timeline : simulation.forces().timelines()) timeline->begin_trace(trace);
    for (int n = 0; n < traced_steps; ++n) {
        trace.set_step(simulation.state().step);
        const auto begin = Trace::Clock::now();
        timed.step(1);
        trace.add("step", begin, Trace::Clock::now());
    }
    timers.record_in(nullptr);
    for (gpu::Timeline* timeline : simulation.forces().timelines()) timeline->end_trace();
    return trace;
}

nlohmann::ordered_json report_of(const gpu::Timeline& timeline, std::int64_t steps) {
    const DeviceStep step = device_step(timeline.times(), steps);
    nlohmann::ordered_json operations = nlohmann::ordered_json::object();
    for (const auto& [name, ms] : step.operations) operations[name] = ms;
    return {{"name", timeline.device().info().name},
            {"measured", timeline.times().measured},
            {"operations", operations},
            {"busy", step.busy},
            {"waited", step.waited},
            {"hidden", step.hidden}};
}

RankTimes times_of(Simulation& simulation, const Measured& measured) {
    const ProcessMemory memory = process_memory();
    RankTimes times{.seconds = measured.seconds,
                    .sent = measured.sent,
                    .home_atoms = static_cast<std::int64_t>(simulation.state().x.size()),
                    .resident = memory.resident,
                    .peak_resident = memory.peak};
    for (std::size_t p = 0; p < times.parts.size(); ++p)
        times.parts[p] = simulation.timers().seconds(static_cast<Part>(p));
    return times;
}

// What each rank measured, on the leading one.
std::vector<RankTimes> gather(const Comm& world, const RankTimes& own) {
    if (world.alone()) return {own};
    std::vector<RankTimes> all;
    for (const Bytes& of_rank : world.gather(std::as_bytes(std::span(&own, 1))))
        all.push_back(values_of<RankTimes>(of_rank).front());
    return all;
}

void print(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) fmt::print("{}\n", line);
}

const char* plural(const nlohmann::ordered_json& count) {
    return count == 1 ? "" : "s";
}

void print_text(const nlohmann::ordered_json& report) {
    fmt::print("{} atoms, {} rank{}, {} thread{}{}, {} steps: {:.3f} ms/step, {:.2f} ns/day, {:.1f} K at the end\n",
               report["atoms"].get<std::int64_t>(), report["ranks"].get<int>(), plural(report["ranks"]),
               report["threads"].get<int>(), plural(report["threads"]), report["ranks"] == 1 ? "" : " each",
               report["steps"].get<std::int64_t>(), report["ms_per_step"].get<double>(),
               report["ns_per_day"].get<double>(), report["temperature"].get<double>());
    fmt::print("{}\n", report["hardware"].get<std::string>());
    print(table_of(report));
}

nlohmann::ordered_json report_of(const MeshRanksChoice& choice) {
    nlohmann::ordered_json out{{"chosen", choice.mesh_ranks}, {"tried", nlohmann::ordered_json::array()}};
    for (const MeshRanksChoice::Tried& t : choice.tried)
        out["tried"].push_back({{"mesh_ranks", t.mesh_ranks}, {"ms_per_step", t.ms_per_step}});
    return out;
}

nlohmann::ordered_json report_of(const Setup& setup, double timestep, std::int64_t steps,
                                 const std::vector<RankTimes>& ranks) {
    double seconds = 0.0;
    for (const RankTimes& rank : ranks) seconds = std::max(seconds, rank.seconds);
    const double ms = 1e3 * seconds / static_cast<double>(steps);
    nlohmann::ordered_json out{{"ms_per_step", ms},
                               {"ns_per_day", 86400.0 * timestep / ms},
                               {"atoms", setup.topology.atoms()},
                               {"steps", steps},
                               {"threads", thread_count()},
                               {"ranks", ranks.size()},
                               {"hardware", setup.hardware.notes.front()}};
    out.update(report_of(ranks, steps));
    return out;
}

void measure(const BenchOptions& options, const Comm& world) {
    Setup setup = open_setup(options.common, world);
    std::optional<ResultFile> trace_file;
    lead_alone(world, [&] {
        if (!options.trace.empty()) trace_file.emplace(options.trace, "--trace", setup.input);
    });
    TimedStage timed(setup, take_start(setup));
    Simulation& simulation = timed.simulation();
    const std::int64_t steps = steps_to_time(options, setup);
    const Measured measured = time_steps(timed, steps, world);
    const std::vector<RankTimes> ranks = gather(world, times_of(simulation, measured));
    const double kelvin = timed.temperature();
    if (world.leads()) {
        nlohmann::ordered_json out = report_of(setup, timed.stage().timestep, steps, ranks);
        out["temperature"] = kelvin;
        out["mesh_ranks"] = report_of(timed.mesh_ranks());
        for (const gpu::Timeline* timeline : simulation.forces().timelines())
            out["devices"].push_back(report_of(*timeline, steps));
        if (options.json) {
            fmt::print("{}\n", out.dump(2));
        } else {
            print_text(out);
            print(timed.mesh_ranks().log);
            print(device_tables(simulation.forces(), steps));
        }
    }
    if (options.trace.empty()) return;
    const Trace trace = trace_steps(timed);
    if (trace_file) trace_file->write(as_trace_events(trace));
}

void measure_each(const BenchOptions& options) {
    const std::vector<int> counts = parse_counts(options.ranks, "--ranks");
    // What is wrong with the input is better said once, before anything is started.
    read_input(options.common.input, options.common.overrides);
    const nlohmann::ordered_json report = sweep_report(sweep_ranks(options, counts, this_launcher()));
    if (options.json) {
        fmt::print("{}\n", report.dump(2));
    } else {
        print(sweep_table(report));
    }
}

}  // namespace

ExitCode bench_command(const BenchOptions& options, const Comm& world) {
    if (options.ranks.empty()) {
        measure(options, world);
    } else {
        measure_each(options);
    }
    return ExitCode::finished;
}

}  // namespace mdsim
