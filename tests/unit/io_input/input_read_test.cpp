// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/input/input.h"

using namespace mdsim;

namespace {

const char* const whole_input = R"(
title = "Ubiquitin in TIP3P water"

[system]
topology    = "ubiquitin.top"
coordinates = "ubiquitin.gro"
define      = ["FLEX", "X=1"]
include_path = "ff"
hydrogen_mass = "3 u"
box = ["60 A", "6 nm", "6 nm"]

[forces]
cutoff = "9 A"
electrostatics = "pme"
force_error = 1e-3
lennard_jones = "force-switch"
switch_from = "0.8 nm"
mesh = [64, 64, 48]

[hardware]
threads = 2

[output]
energies = { every = "200 fs" }
checkpoint = { every = "2 s" }
[[output.trajectory]]
every = "1 ps"
format = ["h5md", "xtc"]
select = "protein"
[[output.trajectory]]
every = "2 ps"
format = "xtc"

[[stage]]
name = "relax"
kind = "minimise"
stop_below = "200 kJ/mol/nm"

[[stage]]
name = "heat"
kind = "dynamics"
duration = "50 ps"
timestep = "2 fs"
temperature = { from = "10 K", to = "300 K" }
restrain = [{ select = "protein and not element H", force_constant = "10 kcal/mol/A^2", to = "stage-start" }]

[[stage]]
name = "produce"
kind = "dynamics"
duration = "1 ns"
timestep = "2 fs"
temperature = "300 K"
pressure = "1 atm"
output = { trajectory = { every = "0.5 ps" }, log = { every = "100 steps" } }
)";

Input parse(const std::string& text) {
    return parse_input(text, "folder/test.inp");
}

}  // namespace

TEST_CASE("a whole input is read into internal units", "[input]") {
    const Input input = parse(whole_input);
    CHECK(input.title == "Ubiquitin in TIP3P water");
    CHECK(input.system.topology == "folder/ubiquitin.top");
    CHECK(input.system.define == std::vector<std::string>{"FLEX", "X=1"});
    CHECK(input.system.include_path.at(0) == "folder/ff");
    CHECK(input.system.hydrogen_mass == 3.0);
    CHECK(input.system.box->rows()[0].x == 6.0);
    CHECK(input.forces.cutoff == 0.9);
    CHECK(input.forces.lennard_jones == LennardJones::force_switch);
    CHECK(input.forces.switch_from == 0.8);
    CHECK(input.forces.mesh == std::vector<int>{64, 64, 48});
    CHECK(input.hardware.threads == 2);
    CHECK(input.output.name == "test");
    CHECK(input.output.energies.time == 0.2);
    CHECK(input.output.checkpoint.wall_seconds == 2.0);
    REQUIRE(input.output.trajectories.size() == 2);
    CHECK(input.output.trajectories[0].select == "protein");
    CHECK(input.output.trajectories[1].formats == std::vector<TrajectoryFormat>{TrajectoryFormat::xtc});
}

TEST_CASE("stages are read with defaults that fit their kind", "[input]") {
    const Input input = parse(whole_input);
    REQUIRE(input.stages.size() == 3);
    const StageInput& relax = input.stages[0];
    CHECK(relax.kind == StageKind::minimise);
    CHECK(relax.stop_below == 200.0);
    CHECK(relax.max_steps == 5000);
    const StageInput& heat = input.stages[1];
    CHECK(heat.steps == 25000);
    CHECK(heat.timestep == 0.002);
    CHECK(heat.temperature_from == 10.0);
    CHECK(heat.temperature_to == 300.0);
    CHECK(heat.thermostat == ThermostatChoice::v_rescale);
    CHECK(heat.barostat == BarostatChoice::none);
    CHECK(heat.remove_com.never());
    REQUIRE(heat.restraints.size() == 1);
    CHECK(heat.restraints[0].force_constant == Approx(4184.0).epsilon(1e-14));
    CHECK(heat.restraints[0].to == RestraintReference::stage_start);
    const StageInput& produce = input.stages[2];
    CHECK(produce.steps == 500000);
    CHECK(produce.pressure == 1.01325);
    CHECK(produce.barostat == BarostatChoice::c_rescale);
    CHECK(produce.remove_com.steps == 100);
    CHECK(produce.coupling_every == 10);
    CHECK(produce.output.trajectories[0].every.time == 0.5);
    CHECK(produce.output.trajectories[1].every.time == 0.5);
    CHECK(produce.output.log.steps == 100);
    CHECK(produce.output.energies.time == 0.2);
}

TEST_CASE("the canonical text reads back to the same settings", "[input]") {
    const Input input = parse(whole_input);
    const Input again = parse(input.canonical);
    CHECK(again.canonical == input.canonical);
    CHECK(differences(input, again).empty());
    CHECK(again.stages[1].restraints[0].select == "protein and not element H");
    CHECK(again.forces.cutoff == input.forces.cutoff);
}

TEST_CASE("gpu is a word or a list of device numbers", "[input]") {
    const auto with = [](const std::string& keys) {
        std::string text = whole_input;
        return parse(text.replace(text.find("threads = 2"), 11, keys));
    };
    CHECK(with("").hardware.gpu == GpuChoice::automatic);
    CHECK(with("").debug.warp_width == 32);
    CHECK(with("gpu = \"host\"").hardware.gpu == GpuChoice::host);
    const Input faulty = with("gpu = \"host\"\n[debug]\ndevice_memory = 5000\ndevice_lost_after = 0");
    CHECK(faulty.debug.device_memory == 5000);
    CHECK(faulty.debug.device_lost_after == 0);
    CHECK(!faulty.debug.device_shared_memory);
    CHECK(with("gpu = \"required\"").hardware.gpu == GpuChoice::required);
    const Input listed = with("gpu = [2, 0]");
    CHECK(listed.hardware.gpu == GpuChoice::listed);
    CHECK(listed.hardware.devices == std::vector<int>{2, 0});
    CHECK(parse(listed.canonical).hardware.devices == std::vector<int>{2, 0});
}
