// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

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

/// The keys that stand in the way of continuing, when the stored input comes from a checkpoint's canonical text.
std::vector<std::string> differing(const std::vector<std::string>& overrides,
                                   const std::vector<std::string>& stored = {}) {
    const Input before = parse_input(read_input(valid_file(), stored).canonical, "two_stages.inp");
    std::vector<std::string> keys;
    for (const Difference& difference : differences(before, read_input(valid_file(), overrides)))
        keys.push_back(difference.key);
    return keys;
}

using Keys = std::vector<std::string>;
const char* const appended =
    "\n[[stage]]\nname = \"more\"\nkind = \"dynamics\"\nduration = \"1 ps\"\ntimestep = \"4 fs\"\nthermostat = "
    "\"none\"\n";

}  // namespace

TEST_CASE("what may differ on continuing does not stand in its way", "[input]") {
    CHECK(differing({}).empty());
    CHECK(differing({"stage.produce.duration=\"1 ns\""}).empty());
    CHECK(differing({"hardware.threads=2", "hardware.gpu=\"off\"", "hardware.precision=\"double\""}).empty());
    CHECK(differing({"hardware.gpu=[1, 0]", "debug.warp_width=64"}).empty());
    CHECK(differing({"debug.list_every=3", "debug.stop_at_step=10", "debug.stand_still_at_step=5"}).empty());
    CHECK(
        differing({"output.trajectory.every=\"1 ps\"", "output.log.every=\"1 ps\"", "output.checkpoint.every=\"2 s\""})
            .empty());
    CHECK(differing({"stage.produce.output.energies.every=\"1 ps\"", "stage.heat.output.log.every=\"1 ps\""}).empty());
    CHECK(differing({"forces.cutoff=\"9 A\""}).empty());
    CHECK(differing({}, {"debug.stop_at_step=10", "hardware.threads=2"}).empty());
}

TEST_CASE("everything else stands in the way of continuing", "[input]") {
    CHECK(differing({"forces.cutoff=\"1 nm\""}) == Keys{"forces.cutoff"});
    CHECK(differing({"system.seed=5"}) == Keys{"system.seed"});
    CHECK(differing({"system.hydrogen_mass=\"3 u\""}) == Keys{"system.hydrogen_mass"});
    CHECK(differing({}, {"system.hydrogen_mass=\"3 u\""}) == Keys{"system.hydrogen_mass"});
    CHECK(differing({"stage.produce.duration=\"4 ps\""}) == Keys{"stage.produce.duration"});
    CHECK(differing({"stage.heat.duration=\"8 ps\""}) == Keys{"stage.heat.duration"});
    CHECK(differing({"stage.produce.timestep=\"1 fs\""}) == Keys{"stage.produce.timestep"});
    CHECK(differing({"output.trajectory.select=\"all\""}) == Keys{"output.trajectory.select"});
    CHECK(differing({"output.trajectory.format=[\"h5md\"]"}) == Keys{"output.trajectory.format"});
    CHECK(differing({"stage.produce.name=\"run\""}) == Keys{"stage"});
    CHECK(!differing({"stage.heat.restrain=[]"}).empty());
    CHECK(!differing({"output.trajectory=[]"}).empty());
}

TEST_CASE("stages may be appended, not removed", "[input]") {
    const Input before = read_input(valid_file(), {});
    const Input after = parse_input(before.canonical + appended, valid_file());
    CHECK(differences(before, after).empty());
    REQUIRE(differences(after, before).size() == 1);
    CHECK(differences(after, before)[0].key == "stage");
}

TEST_CASE("a ramp cannot be stretched after the fact", "[input]") {
    const Keys ramp{"stage.produce.temperature={from=\"1 K\", to=\"300 K\"}"};
    Keys longer = ramp;
    longer.emplace_back("stage.produce.duration=\"1 ns\"");
    CHECK(differing(longer, ramp) == Keys{"stage.produce.duration"});
}

TEST_CASE("the refusal to continue names the way out", "[input]") {
    const Input before = read_input(valid_file(), {});
    const Input after = read_input(valid_file(), {"forces.cutoff=\"1 nm\"", "system.seed=4"});
    CHECK_NOTHROW(require_continuable(before, before));
    try {
        require_continuable(before, after);
        FAIL("nothing was refused");
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        REQUIRE(error.problems().size() == 2);
        CHECK(error.problems()[1].code == "MD115");
        CHECK(error.problems()[1].what.find("\"0.9 nm\" when this run was begun and is \"1 nm\" now") !=
              std::string::npos);
        CHECK(error.problems()[1].remedy.find("--restart") != std::string::npos);
    }
}
