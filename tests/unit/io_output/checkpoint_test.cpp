// SPDX-License-Identifier: Apache-2.0
#include "io/checkpoint/checkpoint.h"

#include <algorithm>
#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/hdf5/hdf5_file.h"
#include "io_output/temporary_folder.h"
#include "system/state_hash.h"

using namespace mdsim;

namespace {

// More than 64 bits hold.
constexpr fixed::EnergySum::Wide heat = (static_cast<fixed::EnergySum::Wide>(5) << 66) + 17;

Checkpoint example(std::int64_t step) {
    Checkpoint c;
    c.state.step = step;
    c.state.time = 0.1 * static_cast<double>(step);
    c.state.box = Box::from_lengths_angles({3, 3, 3}, {60, 60, 90});
    c.state.x = {{0.1, 0.2, 0.3}, {1.0 / 3.0, 2, 3}};
    c.state.v = {{-1, 0, 1e-300}, {0, -0.0, 5}};
    c.state.coupling = {.thermostat_work = 0.7, .volume_step = 3.0, .trials = 4, .accepted = 2};
    c.state.coupling.heat.add_wide(-heat);
    c.input = "[system]\n";
    c.seed = 0xffffffffffffffffU;
    c.stage = 2;
    c.outputs = {{"a.xtc", 10, 0xf000000000000001U}};
    c.numbers = {{"minimiser", {1, 2, 3}}, {"empty", {}}};
    c.system = {{"positions", 0xffffffffffffff01U}, {"box", 1}};
    return c;
}

void damage(const std::filesystem::path& path, std::streamoff at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(at);
    file.write("\x5a\x5a\x5a\x5a\x5a\x5a\x5a\x5a", 8);
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("a checkpoint reads back bit for bit") {
    const TemporaryFolder folder;
    const CheckpointPaths paths(folder.path(), "run");
    std::vector<std::string> warnings;
    CHECK_FALSE(read_checkpoint(paths, warnings));
    write_checkpoint(paths, example(7));
    const auto c = read_checkpoint(paths, warnings);
    REQUIRE(c);
    const Checkpoint e = example(7);
    CHECK(state_hash(c->state) == state_hash(e.state));
    CHECK(c->state.box == e.state.box);
    CHECK(c->outputs == e.outputs);
    CHECK(c->numbers == e.numbers);
    CHECK(c->system == e.system);
    CHECK(c->seed == e.seed);
    CHECK(c->state.coupling.accepted == 2);
    CHECK((c->state.coupling.heat.units() == -heat));
    CHECK(warnings.empty());
}

TEST_CASE("a checkpoint of format 2, which knew no heat, is read") {
    const std::filesystem::path file = MDSIM_SOURCE_DIR "/tests/data/checkpoints/format_2.checkpoint.h5";
    const Checkpoint c = read_checkpoint_file(file);
    State state;
    state.step = 7;
    state.box = Box::from_lengths_angles({3, 3, 3}, {60, 60, 90});
    state.x = {{0.1, 0.2, 0.3}, {1.0 / 3.0, 2, 3}};
    state.v = {{-1, 0, 1e-300}, {0, -0.0, 5}};
    CHECK(state_hash(c.state) == state_hash(state));
    CHECK(c.state.coupling.thermostat_work == 0.7);
    CHECK(c.state.coupling.heat.units() == 0);
    CHECK(c.state.coupling.trials == 4);
    CHECK(c.seed == 2026);
    CHECK(c.numbers.at("progress") == std::vector<double>{1, 0, 6});
}

TEST_CASE("a damaged newest checkpoint falls back to the older one with a warning") {
    const TemporaryFolder folder;
    const CheckpointPaths paths(folder.path(), "run");
    write_checkpoint(paths, example(7));
    write_checkpoint(paths, example(8));
    std::vector<std::string> warnings;
    SECTION("its beginning") {
        damage(paths.newest, 0);
    }
    SECTION("a position") {
        const std::string bytes = bytes_of(paths.newest);
        const double third = 1.0 / 3.0;
        const auto at = bytes.find(std::string(reinterpret_cast<const char*>(&third), sizeof third));
        REQUIRE(at != std::string::npos);
        damage(paths.newest, static_cast<std::streamoff>(at));
    }
    SECTION("cut short") {
        std::filesystem::resize_file(paths.newest, 1000);
    }
    const auto c = read_checkpoint(paths, warnings);
    REQUIRE(c);
    CHECK(c->state.step == 7);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].find("run.checkpoint.h5 cannot be read (") != std::string::npos);
    CHECK(warnings[0].find("run.checkpoint.previous.h5, at step 7") != std::string::npos);
    CHECK(warnings[0].find("error:") == std::string::npos);
    std::filesystem::resize_file(paths.previous, 100);
    try {
        read_checkpoint(paths, warnings);
        FAIL("nothing can be read here");
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::io_error);
        CHECK(error.problems().front().remedy.find("--restart") != std::string::npos);
    }
}

TEST_CASE("whatever sector of the newest checkpoint is lost, the older one or the same is read") {
    const TemporaryFolder folder;
    const CheckpointPaths paths(folder.path(), "run");
    write_checkpoint(paths, example(7));
    write_checkpoint(paths, example(8));
    const std::string whole = bytes_of(paths.newest);
    constexpr std::size_t sector = 512;
    int lost = 0;
    for (std::size_t at = 0; at < whole.size(); at += sector) {
        std::string bytes = whole;
        const std::size_t end = std::min(at + sector, whole.size());
        std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.begin() + static_cast<std::ptrdiff_t>(end),
                  '\0');
        std::ofstream(paths.newest, std::ios::binary) << bytes;
        std::vector<std::string> warnings;
        const auto c = read_checkpoint(paths, warnings);
        INFO("sector at " << at);
        REQUIRE(c);
        CHECK(c->state.step == (bytes == whole ? 8 : 7));
        CHECK(warnings.size() == (bytes == whole ? 0 : 1));
        lost += bytes == whole ? 0 : 1;
    }
    CHECK(lost > 5);
}

TEST_CASE("every byte of a checkpoint counts") {
    const TemporaryFolder folder;
    const CheckpointPaths paths(folder.path(), "run");
    write_checkpoint(paths, example(7));
    const std::string whole = bytes_of(paths.newest);
    for (std::size_t at = 0; at < whole.size(); at += at < 600 ? 1 : 7) {
        std::string bytes = whole;
        bytes[at] = static_cast<char>(bytes[at] ^ 1);
        std::ofstream(paths.newest, std::ios::binary) << bytes;
        INFO("byte " << at);
        CHECK_THROWS_AS(read_checkpoint_file(paths.newest), Error);
    }
}

TEST_CASE("a checkpoint is HDF5 behind a user block") {
    const TemporaryFolder folder;
    const CheckpointPaths paths(folder.path(), "run");
    write_checkpoint(paths, example(7));
    CHECK(is_checkpoint(bytes_of(paths.newest)));
    const h5::File file = h5::File::open_to_read(paths.newest);
    CHECK(file.read_text("/checkpoint/input") == "[system]\n");
    CHECK(file.read_doubles("/checkpoint/positions").at(3) == 1.0 / 3.0);
    CHECK_FALSE(is_checkpoint("\x89HDF"));
}

TEST_CASE("the state hash sees every bit and no order of terms") {
    const State a = example(7).state;
    State b = a;
    CHECK(state_hash(a) == state_hash(b));
    b.v[1].y = 0.0;  // was -0.0
    CHECK(state_hash(a) != state_hash(b));
    b = a;
    std::swap(b.x[0], b.x[1]);
    CHECK(state_hash(a) != state_hash(b));
}
