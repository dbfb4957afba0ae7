// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/input/input.h"

using namespace mdsim;

namespace {

const std::filesystem::path& valid_file() {
    static const std::filesystem::path file =
        std::filesystem::path(MDSIM_SOURCE_DIR) / "tests/data/inputs_valid/two_stages.inp";
    return file;
}

std::string code_of(const std::vector<std::string>& overrides) {
    try {
        read_input(valid_file(), overrides);
    } catch (const Error& error) {
        return error.problems().at(0).code;
    }
    return "none";
}

std::string origin(const Input& input, const std::string& key) {
    for (const SettingLine& line : input.settings) {
        if (line.key == key) return line.origin;
    }
    return "absent";
}

/// MDSIM_SEED for the length of a test.
class SeedVariable {
  public:
    explicit SeedVariable(const char* value) { setenv("MDSIM_SEED", value, 1); }
    ~SeedVariable() { unsetenv("MDSIM_SEED"); }
    SeedVariable(const SeedVariable&) = delete;
    SeedVariable& operator=(const SeedVariable&) = delete;
};

}  // namespace

TEST_CASE("--set overrides keys, those of stages by the stage's name", "[input]") {
    const Input input = read_input(
        valid_file(), {"forces.cutoff=\"1.0 nm\"", "stage.produce.duration = \"10 ps\"", "hardware.threads=3",
                       "output.trajectory.every=\"4 ps\"", "system.hydrogen_mass=\"3 u\"", "debug.list_every=7"});
    CHECK(input.forces.cutoff == 1.0);
    CHECK(input.stages[1].steps == 5000);
    CHECK(input.hardware.threads == 3);
    CHECK(input.output.trajectories[0].every.time == 4.0);
    CHECK(input.system.hydrogen_mass == 3.0);
    CHECK(input.debug.list_every == 7);
    CHECK(origin(input, "forces.cutoff") == "--set");
    CHECK(origin(input, "forces.electrostatics") == "default");
    CHECK(origin(input, "system.topology") == valid_file().string() + ":5");
}

TEST_CASE("a bad --set is refused", "[input]") {
    CHECK(code_of({"forces.cutoff"}) == "MD112");
    CHECK(code_of({"forces.cutoff=1.0 nm"}) == "MD112");
    CHECK(code_of({"=5"}) == "MD112");
    CHECK(code_of({"stage.absent.duration=\"10 ps\""}) == "MD112");
    CHECK(code_of({"system.topology.x=1"}) == "MD112");
    CHECK(code_of({"forces.cutoff=1\nhardware.threads=2"}) == "MD112");
    CHECK(code_of({"forces.cutof=\"1 nm\""}) == "MD101");
    CHECK(code_of({"forces.cutoff=1.0"}) == "MD103");
    CHECK(code_of({"stage.produce.duration=\"1 fs\""}) == "MD109");
}

TEST_CASE("the seed: --set before MDSIM_SEED before the file", "[input]") {
    CHECK(read_input(valid_file(), {}).system.seed == 99);
    const SeedVariable seed("1234");
    const Input input = read_input(valid_file(), {});
    CHECK(input.system.seed == 1234);
    CHECK(origin(input, "system.seed") == "MDSIM_SEED");
    CHECK(read_input(valid_file(), {"system.seed=5"}).system.seed == 5);
}

TEST_CASE("an MDSIM_SEED that is no number is refused", "[input]") {
    for (const char* text : {"", "abc", "-3", "5x", "1e3", "99999999999999999999"}) {
        const SeedVariable seed(text);
        CHECK(code_of({}) == "MD112");
    }
}

TEST_CASE("keys without effect are listed as not used", "[input]") {
    const Input input = read_input(valid_file(), {"forces.electrostatics=\"none\"", "forces.mesh_order=4"});
    CHECK(!input.forces.mesh_order);
    int notes = 0;
    for (const SettingLine& line : input.settings) {
        if (line.key == "forces.mesh_order") {
            ++notes;
            CHECK(line.note == "not used: needs electrostatics=pme|esp");
        }
        CHECK(line.key != "forces.ewald_splitting");
    }
    CHECK(notes == 1);
    CHECK(input.canonical.find("mesh_order") == std::string::npos);
}
