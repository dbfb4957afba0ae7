// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "parallel/threads.h"
#include "run/build.h"
#include "run/commands/commands.h"

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

void print_text(const nlohmann::ordered_json& report) {
    fmt::print("{} atoms, {} threads, {} steps: {:.3f} ms/step, {:.2f} ns/day, {:.1f} K at the end\n",
               report["atoms"].get<std::int64_t>(), report["threads"].get<int>(), report["steps"].get<std::int64_t>(),
               report["ms_per_step"].get<double>(), report["ns_per_day"].get<double>(),
               report["temperature"].get<double>());
    for (const auto& [name, value] : report["parts"].items())
        fmt::print("  {:<14}{:>9.3f} ms\n", name, value.get<double>());
}

}  // namespace

// The first third of the steps is not counted: caches, lists and the clock of the processor settle in it.
ExitCode bench_command(const BenchOptions& options) {
    const Setup setup = open_setup(options.common);
    const StageInput& stage = first_dynamics(setup);
    const RestraintReferences references = make_references(setup, stage, setup.start);
    DynamicsParts parts = build_dynamics(setup, stage, references, {});
    State state = starting_state(setup, stage, parts);
    const AtomParameters atoms = parts.atoms;
    const double degrees = parts.degrees;
    Simulation simulation(
        std::move(parts), std::move(state), [](std::int64_t) { return Due::nothing; }, [](const StepReport&, Due) {});
    const std::int64_t steps =
        options.steps > 0
            ? options.steps
            : std::clamp<std::int64_t>(10000000 / std::max<std::int64_t>(1, setup.topology.atoms()), 30, 3000);
    const std::int64_t warm_up = std::max<std::int64_t>(1, steps / 3);
    const auto go_on = [] { return false; };
    simulation.run(warm_up, go_on);
    simulation.forces().timers().reset();
    const auto start = std::chrono::steady_clock::now();
    simulation.run(warm_up + steps, go_on);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double ms = 1e3 * seconds / static_cast<double>(steps);
    nlohmann::ordered_json out{
        {"ms_per_step", ms},
        {"ns_per_day", 86400.0 * stage.timestep / ms},
        {"atoms", setup.topology.atoms()},
        {"steps", steps},
        {"temperature", temperature(kinetic_energy(atoms.mass, atoms.inverse_mass, simulation.state().v), degrees)},
        {"threads", thread_count()},
        {"ranks", 1}};
    for (int p = 0; p < static_cast<int>(Part::count); ++p) {
        const Part part = static_cast<Part>(p);
        out["parts"][std::string(name_of(part))] = 1e3 * simulation.timers().seconds(part) / static_cast<double>(steps);
    }
    if (options.json) {
        fmt::print("{}\n", out.dump(2));
    } else {
        print_text(out);
    }
    return ExitCode::finished;
}

}  // namespace mdsim
