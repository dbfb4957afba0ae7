// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/trace.h"
#include "gpu/api/timing/timeline.h"
#include "io/output/file_lock.h"
#include "parallel/threads.h"
#include "run/build.h"
#include "run/commands/commands.h"
#include "run/output/result_file.h"
#include "run/output/timing_table.h"
#include "run/output/trace_file.h"

namespace mdsim {

namespace {

const StageInput& first_dynamics(const Setup& setup) {
    const auto& stages = setup.input.stages;
    const auto found =
        std::find_if(stages.begin(), stages.end(), [](const StageInput& s) { return s.kind == StageKind::dynamics; });
    if (found != stages.end()) return *found;
    throw_input_error({.code = "MD412",
                       .place = {setup.input.file.string()},
                       .what = "the input has no stage of dynamics to time",
                       .remedy = "add a [[stage]] with kind = \"dynamics\""});
}

// As a run would start, but for a file without velocities and a stage without a temperature: 300 K then.
State starting_state(const Setup& setup, const StageInput& stage, const DynamicsParts& parts) {
    State state = setup.start;
    prepare_dynamics(state, parts.atoms, *parts.constraints);
    if (generates_velocities(setup) || !setup.has_velocities) {
        generate_velocities(state, parts.atoms, *parts.constraints,
                            {stage.temperature_from.value_or(300.0), parts.degrees, setup.input.system.seed,
                             com_removal(setup, stage)});
    }
    return state;
}

constexpr int traced_steps = 20;

const auto go_on = [] { return false; };

std::int64_t steps_to_time(const BenchOptions& options, const Setup& setup) {
    if (options.steps > 0) return options.steps;
    return std::clamp<std::int64_t>(10000000 / std::max<std::int64_t>(1, setup.topology.atoms()), 30, 3000);
}

// Milliseconds a step. The first third of the steps is not counted: caches, lists and the clock of the processor settle
// in it.
double time_steps(Simulation& simulation, std::int64_t steps) {
    const std::int64_t warm_up = std::max<std::int64_t>(1, steps / 3);
    simulation.run(warm_up, go_on);
    simulation.forces().timers().reset();
    const auto sample = std::clamp<std::int64_t>(steps / 10, 1, 31);
    for (gpu::Timeline* timeline : simulation.forces().timelines()) timeline->measure_every(static_cast<int>(sample));
    const auto start = std::chrono::steady_clock::now();
    simulation.run(warm_up + steps, go_on);
    return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
           static_cast<double>(steps);
}

// These steps come after those that are timed, so that no number has the cost of recording in it.
Trace trace_steps(Simulation& simulation) {
    Trace trace("mdsim rank 0 on " + host_name());
    Timers& timers = simulation.forces().timers();
    timers.record_in(&trace);
    for (gpu::Timeline* timeline : simulation.forces().timelines()) timeline->begin_trace(trace);
    for (int n = 0; n < traced_steps; ++n) {
        const std::int64_t step = simulation.state().step;
        trace.set_step(step);
        const auto begin = Trace::Clock::now();
        simulation.run(step + 1, go_on);
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

// All in milliseconds a step.
void add_times(nlohmann::ordered_json& report, Simulation& simulation, std::int64_t steps) {
    for (int p = 0; p < static_cast<int>(Part::count); ++p) {
        const Part part = static_cast<Part>(p);
        report["parts"][std::string(name_of(part))] =
            1e3 * simulation.timers().seconds(part) / static_cast<double>(steps);
    }
    for (const gpu::Timeline* timeline : simulation.forces().timelines())
        report["devices"].push_back(report_of(*timeline, steps));
}

void print_text(const nlohmann::ordered_json& report) {
    fmt::print("{} atoms, {} threads, {} steps: {:.3f} ms/step, {:.2f} ns/day, {:.1f} K at the end\n",
               report["atoms"].get<std::int64_t>(), report["threads"].get<int>(), report["steps"].get<std::int64_t>(),
               report["ms_per_step"].get<double>(), report["ns_per_day"].get<double>(),
               report["temperature"].get<double>());
    fmt::print("{}\n", report["hardware"].get<std::string>());
    for (const auto& [name, value] : report["parts"].items())
        fmt::print("  {:<14}{:>9.3f} ms\n", name, value.get<double>());
}

}  // namespace

ExitCode bench_command(const BenchOptions& options) {
    const Setup setup = open_setup(options.common);
    std::optional<ResultFile> trace_file;
    if (!options.trace.empty()) trace_file.emplace(options.trace, "--trace", setup.input);
    const StageInput& stage = first_dynamics(setup);
    const RestraintReferences references = make_references(setup, stage, setup.start);
    DynamicsParts parts = build_dynamics(setup, stage, references, {});
    State state = starting_state(setup, stage, parts);
    const AtomParameters atoms = parts.atoms;
    const double degrees = parts.degrees;
    Simulation simulation(
        std::move(parts), std::move(state), [](std::int64_t) { return Due::nothing; }, [](const StepReport&, Due) {});
    const std::int64_t steps = steps_to_time(options, setup);
    const double ms = time_steps(simulation, steps);
    nlohmann::ordered_json out{
        {"ms_per_step", ms},
        {"ns_per_day", 86400.0 * stage.timestep / ms},
        {"atoms", setup.topology.atoms()},
        {"steps", steps},
        {"temperature", temperature(kinetic_energy(atoms.mass, atoms.inverse_mass, simulation.state().v), degrees)},
        {"threads", thread_count()},
        {"ranks", 1},
        {"hardware", setup.hardware.notes.front()}};
    add_times(out, simulation, steps);
    if (options.json) {
        fmt::print("{}\n", out.dump(2));
    } else {
        print_text(out);
        for (const std::string& line : device_tables(simulation.forces(), steps)) fmt::print("{}\n", line);
    }
    if (trace_file) trace_file->write(as_trace_events(trace_steps(simulation)));
    return ExitCode::finished;
}

}  // namespace mdsim
