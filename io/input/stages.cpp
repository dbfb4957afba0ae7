// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "io/input/sections.h"

namespace mdsim::inp {

namespace {

/// Largest number of steps that a double counts exactly.
constexpr double most_steps = 9e15;

/// Is `time` a whole number of steps, but for the rounding of decimal fractions?
bool is_whole(double time, double timestep) {
    const double steps = std::round(time / timestep);
    return std::abs(time - steps * timestep) <= 1e-9 * time;
}

/// One stage from its table.
class StageReader {
  public:
    StageReader(const Table& table, const Table& root, const OutputInput& output, const Context& context)
        : table_(table), root_(root), context_(context) {
        stage_.output = output;
    }
    StageInput read();

  private:
    const Table& table_;
    const Table& root_;
    const Context& context_;
    StageInput stage_;

    void dynamics();
    void steps();
    void thermostat();
    void barostat();
    void outputs();
    void trajectories(const Table& output);
    void check_cadences();
    void check_cadence(const Cadence& cadence, const Table* stage_table, const Table* global_table);
    void contradiction(std::string_view key, std::string what, std::string remedy) {
        context_.add("MD108", table_.place_of(key), std::move(what), {}, std::move(remedy));
    }
};

void StageReader::steps() {
    stage_.duration = table_.number("duration");
    stage_.timestep = table_.number("timestep");
    if (!table_.has("duration") || !table_.has("timestep")) return;
    const double steps = std::round(stage_.duration / stage_.timestep);
    if (steps > most_steps) {
        return context_.add("MD104", table_.place_of("duration"),
                            fmt::format("{} is more than {} steps", table_.full_key("duration"), most_steps));
    }
    stage_.steps = static_cast<std::int64_t>(steps);
    if (is_whole(stage_.duration, stage_.timestep)) return;
    context_.add(
        "MD109", table_.place_of("duration"),
        fmt::format("{} = {} ps is not a whole number of timesteps of {} ps", table_.full_key("duration"),
                    stage_.duration, stage_.timestep),
        fmt::format("it would be {:.6g} steps", stage_.duration / stage_.timestep),
        fmt::format("duration = \"{} ps\" ({} steps)", std::max(steps, 1.0) * stage_.timestep, std::max(steps, 1.0)));
}

void StageReader::thermostat() {
    stage_.integrator = pick<IntegratorChoice>("leap-frog|velocity-verlet|langevin", table_.text("integrator"));
    stage_.thermostat = pick<ThermostatChoice>("none|v-rescale|langevin", table_.text("thermostat"));
    stage_.thermostat_time = table_.number("thermostat_time");
    stage_.friction = table_.number("friction");
    const std::vector<double>& kelvin = table_.numbers("temperature");
    if (kelvin.size() == 2) {
        stage_.temperature_from = kelvin[0];
        stage_.temperature_to = kelvin[1];
    }
    if (stage_.thermostat != ThermostatChoice::none && table_.has("thermostat") && !table_.given("temperature")) {
        context_.add("MD106", table_.place, fmt::format("{} is missing", table_.full_key("temperature")),
                     fmt::format("the thermostat {} needs one", table_.text("thermostat")),
                     "temperature = \"300 K\", or thermostat = \"none\" for constant energy");
    }
    const bool langevin = stage_.thermostat == ThermostatChoice::langevin;
    if (stage_.integrator == IntegratorChoice::langevin && !langevin && table_.has("thermostat")) {
        contradiction("thermostat",
                      fmt::format("stage '{}': thermostat = \"{}\" with integrator = \"langevin\"", stage_.name,
                                  table_.text("thermostat")),
                      "thermostat = \"langevin\", or integrator = \"leap-frog\"");
    } else if (langevin && stage_.integrator == IntegratorChoice::velocity_verlet) {
        contradiction(
            "integrator",
            fmt::format("stage '{}': integrator = \"velocity-verlet\" with thermostat = \"langevin\"", stage_.name),
            "integrator = \"langevin\", or thermostat = \"v-rescale\"");
    }
    // The middle scheme in its leap-frog form is what Langevin dynamics is here, by either name.
    if (langevin) stage_.integrator = IntegratorChoice::langevin;
}

void StageReader::barostat() {
    const BarostatChoice choice = pick<BarostatChoice>("none|c-rescale|monte-carlo", table_.text("barostat"));
    if (!table_.given("pressure")) {
        if (choice != BarostatChoice::none) {
            contradiction(
                "barostat",
                fmt::format("stage '{}': barostat = \"{}\" without a pressure", stage_.name, table_.text("barostat")),
                "pressure = \"1 bar\", or remove barostat");
        }
        return;
    }
    stage_.barostat = choice;
    stage_.pressure = table_.number("pressure");
    stage_.barostat_time = table_.number("barostat_time");
    stage_.compressibility = table_.number("compressibility");
    stage_.coupling = pick<CouplingChoice>("isotropic|semi-isotropic", table_.text("coupling"));
    if (choice != BarostatChoice::none && stage_.thermostat == ThermostatChoice::none && table_.has("thermostat") &&
        !stage_.temperature_from) {
        context_.add("MD106", table_.place, fmt::format("{} is missing", table_.full_key("temperature")),
                     fmt::format("the barostat {} needs one", table_.text("barostat")), "temperature = \"300 K\"");
    }
}

void StageReader::dynamics() {
    steps();
    thermostat();
    barostat();
    stage_.coupling_every = static_cast<int>(table_.integer("coupling_every"));
    if (const Table* remove_com = table_.child("remove_com")) {
        stage_.remove_com = cadence_of(*remove_com);
        check_cadence(stage_.remove_com, remove_com, nullptr);
    }
}

void StageReader::trajectories(const Table& output) {
    const std::vector<const Table*> given = output.children("trajectory");
    std::vector<TrajectoryInput>& all = stage_.output.trajectories;
    if (given.size() > 1 && given.size() != all.size()) {
        return context_.add("MD108", given.front()->place,
                            fmt::format("{} has {} tables, [output] has {} trajectories", output.full_key("trajectory"),
                                        given.size(), all.size()),
                            {}, "one table for all of them, or one for each");
    }
    if (!given.empty() && all.empty()) {
        return context_.add("MD108", given.front()->place,
                            fmt::format("{}: [output] has no trajectory", output.full_key("trajectory")), {},
                            "output.trajectory = { every = \"10 ps\" }");
    }
    for (std::size_t i = 0; i < all.size() && !given.empty(); ++i) {
        const Table& table = *given[given.size() == 1 ? 0 : i];
        if (table.has("every")) all[i].every = cadence_of(table);
    }
}

void StageReader::outputs() {
    const Table* output = table_.child("output");
    if (!output) return;
    trajectories(*output);
    const auto take = [&](std::string_view name, Cadence& cadence) {
        const Table* table = output->child(name);
        if (table && table->has("every")) cadence = cadence_of(*table);
    };
    take("energies", stage_.output.energies);
    take("log", stage_.output.log);
    take("checkpoint", stage_.output.checkpoint);
}

void StageReader::check_cadence(const Cadence& cadence, const Table* stage_table, const Table* global_table) {
    if (!cadence.given || cadence.time == 0.0 || stage_.timestep <= 0.0) return;
    const Table* source = stage_table && stage_table->given("every") ? stage_table : global_table;
    if (is_whole(cadence.time, stage_.timestep) || !source) return;
    const double steps = std::max(1.0, std::round(cadence.time / stage_.timestep));
    context_.add("MD109", source->place_of("every"),
                 fmt::format("{} = {} ps is not a whole number of timesteps ({} ps) in stage '{}'",
                             source->full_key("every"), cadence.time, stage_.timestep, stage_.name),
                 {}, fmt::format("every = \"{} ps\", or \"{} steps\"", steps * stage_.timestep, steps));
}

void StageReader::check_cadences() {
    const Table* own = table_.child("output");
    const Table* global = root_.child("output");
    if (!global) return;
    const auto check = [&](std::string_view name, const Cadence& cadence) {
        check_cadence(cadence, own ? own->child(name) : nullptr, global->child(name));
    };
    check("energies", stage_.output.energies);
    check("log", stage_.output.log);
    check("checkpoint", stage_.output.checkpoint);
    const std::vector<const Table*> maps = global->children("map");
    for (std::size_t i = 0; i < maps.size(); ++i) check_cadence(stage_.output.maps.at(i).every, nullptr, maps[i]);
    const std::vector<const Table*> globals = global->children("trajectory");
    const std::vector<const Table*> owns = own ? own->children("trajectory") : std::vector<const Table*>{};
    for (std::size_t i = 0; i < std::min(globals.size(), stage_.output.trajectories.size()); ++i) {
        const Table* mine = owns.empty() ? nullptr : owns[std::min(i, owns.size() - 1)];
        check_cadence(stage_.output.trajectories[i].every, mine, globals[i]);
    }
}

StageInput StageReader::read() {
    stage_.name = table_.text("name");
    stage_.kind = pick<StageKind>("minimise|dynamics", table_.text("kind"));
    read_restraints(table_, context_, stage_);
    outputs();
    if (!table_.has("kind")) return std::move(stage_);
    if (stage_.kind == StageKind::minimise) {
        stage_.stop_below = table_.number("stop_below");
        stage_.max_steps = table_.integer("max_steps");
    } else {
        dynamics();
        check_cadences();
    }
    return std::move(stage_);
}

void check_names(const std::vector<const Table*>& tables, const Context& context) {
    std::vector<std::string> seen;
    for (const Table* table : tables) {
        if (!table->has("name")) continue;
        const std::string name = table->text("name");
        const bool safe = !name.empty() && name.size() <= 100 && std::all_of(name.begin(), name.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
        });
        if (!safe) {
            context.add("MD113", table->place_of("name"), fmt::format("{} is not a name for a stage", in_quotes(name)),
                        "names of stages are letters, digits, - and _", "name = \"produce\"");
        } else if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
            context.add("MD113", table->place_of("name"), fmt::format("two stages are called '{}'", name), {},
                        "a name of its own for each stage");
        }
        seen.push_back(name);
    }
}

void check_velocities(const Table& root, const std::vector<StageInput>& stages, const Context& context) {
    const Table* system = root.child("system");
    if (!system || system->text("velocities") != "generate") return;
    for (const StageInput& stage : stages) {
        if (stage.kind != StageKind::dynamics) continue;
        if (!stage.temperature_from && stage.thermostat == ThermostatChoice::none) {
            context.add("MD106", system->place_of("velocities"),
                        fmt::format("velocities are to be generated, but stage '{}' has no temperature", stage.name),
                        {}, fmt::format("temperature = \"300 K\" in stage '{}'", stage.name));
        }
        return;
    }
}

void check_maps(const Table& root, const std::vector<StageInput>& stages, const Context& context) {
    const Table* output = root.child("output");
    for (const Table* map : output ? output->children("map") : std::vector<const Table*>{}) {
        const std::string wanted = map->text("stage");
        const bool there = std::any_of(stages.begin(), stages.end(), [&](const StageInput& stage) {
            return stage.name == wanted && stage.kind == StageKind::dynamics;
        });
        if (!map->has("stage") || there) continue;
        context.add(
            "MD108", map->place_of("stage"),
            fmt::format("{} = {}: there is no dynamics stage of this name", map->full_key("stage"), in_quotes(wanted)),
            {}, "the name of a stage, or nothing for the last one");
    }
}

}  // namespace

std::vector<StageInput> stages_of(const Table& root, const OutputInput& output, const Context& context) {
    std::vector<StageInput> stages;
    const std::vector<const Table*> tables = root.children("stage");
    check_names(tables, context);
    for (const Table* table : tables) stages.push_back(StageReader(*table, root, output, context).read());
    check_velocities(root, stages, context);
    check_maps(root, stages, context);
    check_restraint_names(root, stages, context);
    return stages;
}

}  // namespace mdsim::inp
