// SPDX-License-Identifier: Apache-2.0
#include "io/input/sections.h"

#include <algorithm>

#include <fmt/format.h>

#include "io/topology/topology_file.h"
#include "io/vtk/vtk_library.h"

namespace mdsim::inp {

namespace {

void read_box(const Table& table, const Context& context, SystemInput& system) {
    if (!table.has("box")) return;
    const std::vector<double>& n = table.numbers("box");
    Mat3d rows{};
    if (n.size() == 3) {
        rows = {Vec3d{n[0], 0, 0}, Vec3d{0, n[1], 0}, Vec3d{0, 0, n[2]}};
    } else {
        rows = {Vec3d{n[0], n[1], n[2]}, Vec3d{n[3], n[4], n[5]}, Vec3d{n[6], n[7], n[8]}};
    }
    if (!(rows[0].x > 0 && rows[1].y > 0 && rows[2].z > 0)) {
        return context.add("MD104", table.place_of("box"), "system.box has an edge that is not above zero");
    }
    if (rows[0].y != 0 || rows[0].z != 0 || rows[1].z != 0) {
        return context.add("MD104", table.place_of("box"), "system.box is not lower triangular",
                           "the first box vector lies along x, the second in the xy plane",
                           "nine numbers ax 0 0 bx by 0 cx cy cz; rotate the system with its box otherwise");
    }
    system.box = Box::from_rows(rows);
}

void read_parameter_files(const Table& table, const Context& context, SystemInput& system) {
    for (const std::string& name : table.texts("parameters")) {
        system.parameters.push_back(context.path(name));
        std::error_code error;
        if (!context.look_at_files || std::filesystem::is_regular_file(system.parameters.back(), error)) continue;
        context.add("MD110", table.place_of("parameters"),
                    fmt::format("system.parameters: no file {}", in_quotes(name)),
                    fmt::format("paths start from the folder of the input file: {}", system.parameters.back().string()),
                    "correct the path");
    }
    if (system.parameters.empty() || topology_format(system.topology) == TopologyFormat::charmm) return;
    context.add("MD108", table.place_of("parameters"),
                "system.parameters is for CHARMM topologies (.psf), and this topology is another kind of file",
                "its parameters are in the topology itself", "take system.parameters out");
}

void check_lennard_jones(const Table& table, const Context& context, const ForcesInput& forces) {
    const bool switched = forces.lennard_jones != LennardJones::cut && forces.lennard_jones != LennardJones::shift;
    if (!switched) return;
    if (!table.given("switch_from")) {
        context.add(
            "MD106", table.place_of("lennard_jones"),
            fmt::format("forces.switch_from is missing for lennard_jones = \"{}\"", table.text("lennard_jones")),
            "a switched form needs to know where it begins", "switch_from = \"0.8 nm\"");
    } else if (table.has("switch_from") && forces.switch_from >= forces.cutoff) {
        context.add("MD108", table.place_of("switch_from"),
                    fmt::format("forces.switch_from = {} nm is not below the cutoff of {} nm", forces.switch_from,
                                forces.cutoff),
                    {}, "a switch_from below the cutoff, often by 0.1 to 0.2 nm");
    }
}

// Of a table with a format that VTK writes.
void require_vtk(const Table& table, const Context& context) {
    if (VtkLibrary::built()) return;
    Problem problem = VtkLibrary::not_built();
    problem.place = table.place_of("format");
    context.problems.add(std::move(problem));
}

void check_trajectory(const Table& table, const TrajectoryInput& trajectory, const Context& context) {
    const auto any = [&](auto&& holds) {
        return std::any_of(trajectory.formats.begin(), trajectory.formats.end(),
                           [&](TrajectoryFormat format) { return holds(facts_of(format)); });
    };
    const bool velocities = any([](const FormatFacts& facts) { return facts.velocities; });
    const bool forces = any([](const FormatFacts& facts) { return facts.forces; });
    for (const auto& [key, held] : {std::pair{"velocities", velocities}, std::pair{"forces", forces}}) {
        if (table.flag(key) && !held) {
            context.add(
                "MD108", table.place_of(key),
                fmt::format("{} = true, but the formats of this trajectory hold positions alone", table.full_key(key)),
                {}, "format = [\"h5md\", \"xtc\"]");
        }
    }
    if (any([](const FormatFacts& facts) { return facts.format == TrajectoryFormat::vtk; }))
        require_vtk(table, context);
}

/// A name that is safe as a part of file names.
bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos && name.size() <= 200;
}

}  // namespace

std::filesystem::path Context::file(const Table& table, std::string_view name) const {
    const std::string text = table.text(name);
    if (!table.has(name)) return {};
    std::filesystem::path complete = path(text);
    std::error_code error;
    if (look_at_files && !std::filesystem::is_regular_file(complete, error)) {
        const bool there = std::filesystem::exists(complete, error);
        add("MD110", table.place_of(name),
            fmt::format("{} = {}: {}", table.full_key(name), in_quotes(text), there ? "not a file" : "no such file"),
            fmt::format("paths start from the folder of the input file: {}", complete.string()), "correct the path");
    }
    return complete;
}

Cadence cadence_of(const Table& table) {
    Cadence cadence;
    const Datum& datum = table.datum("every");
    cadence.given = table.given("every");
    if (datum.dimension == Dimension::steps) {
        cadence.steps = table.integer("every");
    } else if (datum.dimension == Dimension::wall_time) {
        cadence.wall_seconds = table.number("every");
    } else {
        cadence.time = table.number("every");
    }
    return cadence;
}

SystemInput system_of(const Table& table, const Context& context) {
    SystemInput system;
    system.topology = context.file(table, "topology");
    system.coordinates = context.file(table, "coordinates");
    read_parameter_files(table, context, system);
    for (const std::string& folder : table.texts("include_path")) system.include_path.push_back(context.path(folder));
    system.define = table.texts("define");
    if (table.has("velocities")) system.velocities = pick<VelocityChoice>("file|generate", table.text("velocities"));
    system.seed = static_cast<std::uint64_t>(table.integer("seed"));
    if (table.numbers("coulomb_constant").empty()) {
        system.coulomb = pick<CoulombChoice>("auto|amber|charmm|gromacs", table.text("coulomb_constant"));
    } else {
        system.coulomb = CoulombChoice::given;
        system.coulomb_constant = table.number("coulomb_constant");
    }
    if (table.has("hydrogen_mass")) system.hydrogen_mass = table.number("hydrogen_mass");
    system.constraints = pick<ConstraintChoice>("none|water|hydrogen-bonds|all-bonds", table.text("constraints"));
    read_box(table, context, system);
    return system;
}

ForcesInput forces_of(const Table& table, const Context& context) {
    ForcesInput forces;
    forces.cutoff = table.number("cutoff");
    forces.electrostatics =
        pick<Electrostatics>("esp|pme|ewald|reaction-field|cutoff|none", table.text("electrostatics"));
    forces.force_error = table.number("force_error");
    if (table.has("ewald_splitting")) forces.ewald_splitting = table.number("ewald_splitting");
    if (table.has("mesh_spacing")) forces.mesh_spacing = table.number("mesh_spacing");
    if (table.has("mesh")) forces.mesh.assign(table.integers("mesh").begin(), table.integers("mesh").end());
    if (table.has("mesh_order")) forces.mesh_order = static_cast<int>(table.integer("mesh_order"));
    const double permittivity = table.number("reaction_field_permittivity");
    forces.reaction_field_permittivity = std::isinf(permittivity) ? 0.0 : permittivity;
    forces.relative_permittivity = table.number("relative_permittivity");
    forces.lennard_jones =
        pick<LennardJones>("cut|shift|potential-switch|force-switch|charmm-force-switch", table.text("lennard_jones"));
    forces.switch_from = table.number("switch_from");
    forces.dispersion_correction = table.flag("dispersion_correction");
    check_lennard_jones(table, context, forces);
    if (table.has("mesh") && table.has("mesh_spacing")) {
        context.add("MD108", table.place_of("mesh_spacing"),
                    "forces.mesh and forces.mesh_spacing both say how fine the mesh is", {}, "remove one of them");
    }
    if (table.integer("mesh_every") > 1) {
        context.add("MD107", table.place_of("mesh_every"), "forces.mesh_every above 1 is not in this version of mdsim",
                    {}, "mesh_every = 1");
    }
    return forces;
}

HardwareInput hardware_of(const Table& table) {
    HardwareInput hardware;
    hardware.devices.assign(table.integers("gpu").begin(), table.integers("gpu").end());
    hardware.gpu =
        hardware.devices.empty() ? pick<GpuChoice>("auto|off|required|host", table.text("gpu")) : GpuChoice::listed;
    hardware.gpu_messages = pick<GpuMessages>("auto|direct|staged", table.text("gpu_messages"));
    hardware.precision = pick<PrecisionChoice>("mixed|double", table.text("precision"));
    hardware.threads = static_cast<int>(table.integer("threads"));
    hardware.give_up_after = table.number("give_up_after");
    if (table.has("spare_time")) hardware.spare_time = table.number("spare_time");
    if (!table.integers("mesh_ranks").empty()) hardware.mesh_ranks = static_cast<int>(table.integer("mesh_ranks"));
    return hardware;
}

namespace {

MapInput map_of(const Table& table, const Context& context) {
    MapInput map;
    map.every = cadence_of(table);
    map.quantity = pick<MapQuantity>("number|charge|potential", table.text("quantity"));
    map.select = table.text("select");
    map.spacing = table.number("spacing");
    for (const std::string& word : table.texts("format")) map.formats.push_back(pick<MapFormat>("vti|dx", word));
    map.stage = table.text("stage");
    const bool vti = std::find(map.formats.begin(), map.formats.end(), MapFormat::vti) != map.formats.end();
    if (vti) require_vtk(table, context);
    return map;
}

}  // namespace

OutputInput output_of(const Table& table, const Context& context) {
    OutputInput output;
    output.name = table.text("name");
    output.directory = table.text("directory");
    if (table.has("name") && !is_file_name(output.name)) {
        context.add("MD113", table.place_of("name"),
                    fmt::format("output.name = {} cannot begin the name of a file", in_quotes(output.name)), {},
                    "name = \"run1\"; the folder goes into output.directory");
    }
    for (const Table* each : table.children("trajectory")) {
        TrajectoryInput trajectory;
        trajectory.every = cadence_of(*each);
        for (const std::string& word : each->texts("format")) trajectory.formats.push_back(format_named(word));
        trajectory.select = each->text("select");
        trajectory.precision = each->number("precision");
        trajectory.precision_given = each->given("precision");
        trajectory.whole = each->flag("whole");
        trajectory.velocities = each->flag("velocities");
        trajectory.forces = each->flag("forces");
        check_trajectory(*each, trajectory, context);
        output.trajectories.push_back(std::move(trajectory));
    }
    for (const Table* each : table.children("map")) output.maps.push_back(map_of(*each, context));
    output.energies = cadence_of(*table.child("energies"));
    output.log = cadence_of(*table.child("log"));
    output.checkpoint = cadence_of(*table.child("checkpoint"));
    return output;
}

namespace {

// What plays a fault of a device must not be taken for one that a real device has withstood.
std::optional<std::int64_t> of_host_back_end(const Table& table, const char* key, const HardwareInput& hardware,
                                             const Context& context) {
    if (!table.has(key)) return std::nullopt;
    if (hardware.gpu != GpuChoice::host) {
        context.add("MD108", table.place_of(key),
                    fmt::format("debug.{} without gpu = \"host\", the only device that plays faults", key), {},
                    fmt::format("leave debug.{} out, or set hardware.gpu = \"host\"", key));
    }
    return table.integer(key);
}

}  // namespace

DebugInput debug_of(const Table& table, const HardwareInput& hardware, const Context& context) {
    DebugInput debug;
    debug.device_memory = of_host_back_end(table, "device_memory", hardware, context);
    debug.device_shared_memory = of_host_back_end(table, "device_shared_memory", hardware, context);
    debug.device_lost_after = of_host_back_end(table, "device_lost_after", hardware, context);
    if (table.has("list_every")) debug.list_every = table.integer("list_every");
    if (table.has("stop_at_step")) debug.stop_at_step = table.integer("stop_at_step");
    if (table.has("stand_still_at_step")) debug.stand_still_at_step = table.integer("stand_still_at_step");
    if (table.has("random_order_seed"))
        debug.random_order_seed = static_cast<std::uint64_t>(table.integer("random_order_seed"));
    debug.warp_width = static_cast<int>(table.integer("warp_width"));
    if (table.has("warp_width") && debug.warp_width != 32 && debug.warp_width != 64) {
        context.add("MD105", table.place_of("warp_width"),
                    fmt::format("debug.warp_width = {} is not one of 32, 64", debug.warp_width),
                    "hardware has warps of these widths", "warp_width = 32");
    }
    if (const auto grid = table.integers("ranks_grid"); grid.size() == 3) {
        debug.ranks_grid = {static_cast<int>(grid[0]), static_cast<int>(grid[1]), static_cast<int>(grid[2])};
    }
    if (table.has("mesh_devices")) debug.mesh_devices = static_cast<int>(table.integer("mesh_devices"));
    if (table.has("mesh_trial")) debug.mesh_trial = static_cast<int>(table.integer("mesh_trial"));
    debug.balance = pick<BalanceChoice>("measured|off|forced", table.text("balance"));
    return debug;
}

}  // namespace mdsim::inp
