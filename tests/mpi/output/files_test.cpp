// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "io_output/temporary_folder.h"
#include "run/output/run_output.h"
#include "system/state_hash.h"
#include "world.h"

using namespace mdsim;

namespace {

constexpr int molecules = 40;

constexpr char input_text[] = R"(
[system]
topology = "top.top"
coordinates = "box.gro"
velocities = "generate"
[forces]
electrostatics = "cutoff"
[output]
name = "run"
trajectory = { every = "2 fs", format = ["h5md", "xtc"], velocities = true, forces = true }
energies = { every = "2 fs" }
[[stage]]
name = "only"
kind = "dynamics"
duration = "20 fs"
timestep = "2 fs"
temperature = "300 K"
)";

constexpr char topology_text[] = R"([ defaults ]
1 2 yes 0.5 0.8
[ atomtypes ]
A 6 12.0 0.0 A 0.3 0.4
[ moleculetype ]
AB 3
[ atoms ]
1 A 1 AB A1 1 0 12.0
2 A 1 AB A2 2 0 12.0
[ bonds ]
1 2 1 0.15 1000
[ system ]
two and two
[ molecules ]
)";

// Two bonded atoms a molecule, on a line.
void write_system(const std::filesystem::path& folder) {
    std::ofstream(folder / "run.inp") << input_text;
    std::ofstream(folder / "top.top") << topology_text << "AB " << molecules << '\n';
    std::ofstream gro(folder / "box.gro");
    gro << "two and two\n" << 2 * molecules << '\n';
    for (int n = 0; n < 2 * molecules; ++n) {
        const double x = 0.4 * (n / 2) + 0.15 * (n % 2);
        gro << fmt::format("{:5}{:<5}{:>5}{:5}{:8.3f}{:8.3f}{:8.3f}\n", n / 2 + 1, "AB", n % 2 == 0 ? "A1" : "A2",
                           n + 1, x, 1.0, 1.5);
    }
    gro << "20.0 3.0 3.0\n";
}

/// Every atom of a step: a function of atom and step, so that all ranks know them.
struct Step {
    State state;
    std::vector<Vec3d> after;
    std::vector<Vec3l> forces;

    Step(const Setup& setup, std::int64_t step) {
        state.step = step;
        state.time = 0.002 * static_cast<double>(step);
        state.box = setup.start.box;
        for (std::int64_t id = 0; id < setup.topology.atoms(); ++id) {
            const auto n = static_cast<double>(id), s = static_cast<double>(step);
            state.x.push_back({0.2 * n + 1e-3 * s, 1.0 + 1e-9 * n, 1.5});
            state.v.push_back({n / 3.0, s / 7.0, -0.0});
            after.push_back({n, s, 1.0});
            forces.push_back({id << 32, step << 30, -id});
        }
    }
};

/// What this rank has of it, whole molecules by turns; each step another rank begins.
struct Home {
    std::vector<std::int64_t> ids;
    Step step;

    Home(const Step& all, const Comm& comm) : step(all) {
        step.state.x.clear(), step.state.v.clear(), step.after.clear(), step.forces.clear();
        for (std::size_t id = 0; id < all.state.x.size(); ++id) {
            const auto turn = static_cast<std::int64_t>(id) / 2 + all.state.step;
            if (turn % comm.size() != comm.rank()) continue;
            ids.push_back(static_cast<std::int64_t>(id));
            step.state.x.push_back(all.state.x[id]);
            step.state.v.push_back(all.state.v[id]);
            step.after.push_back(all.after[id]);
            step.forces.push_back(all.forces[id]);
        }
    }
};

void write_steps(RunOutput output, const Setup& setup, const Comm& comm) {
    const StageInput& stage = setup.input.stages.front();
    output.keep({{"kept", {1.0, 2.0}}});
    for (std::int64_t step = 0; step <= 10; ++step) {
        const Home home(Step(setup, step), comm);
        StepReport report;
        report.row.step = step;
        report.row.time = home.step.state.time;
        report.box = home.step.state.box;
        report.on_step = {home.step.state.x, home.step.state.v, home.step.after};
        report.forces = home.step.forces;
        report.ids = home.ids;
        CHECK(has(output.due(stage, step), Due::energies | Due::trajectory));
        output.log().line(fmt::format("step {}", step));
        output.write_energies(report.row);
        output.write_frame(stage, step, report);
        output.poll();
        if (step != 6 && step != 9) continue;
        Checkpoint facts;
        facts.seed = 5;
        facts.numbers["progress"] = {1.0, 0.0, static_cast<double>(step)};
        output.write_checkpoint(facts, home.step.state, home.ids);
    }
    output.finish();
}

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Setup setup_in(const std::filesystem::path& folder, const std::string& directory) {
    Setup setup = read_setup(read_input(folder / "run.inp", {}));
    setup.input.output.directory = folder / directory;
    RunOutput::make_directory(setup);
    return setup;
}

void compare(const Setup& of_all, const Setup& alone) {
    const RunPaths here(of_all.input.output), there(alone.input.output);
    for (const char* suffix : {".log", ".energies.csv", ".xtc", ".pdb", ".psf"}) {
        INFO(suffix);
        CHECK(bytes_of(here.file(suffix)) == bytes_of(there.file(suffix)));
        CHECK(std::filesystem::file_size(here.file(suffix)) > 0);
    }
    for (const auto newest : {true, false}) {
        const auto file = [&](const RunPaths& paths) {
            return read_checkpoint_file(newest ? paths.checkpoint().newest : paths.checkpoint().previous);
        };
        const Checkpoint a = file(here), b = file(there);
        const Step expected(of_all, newest ? 9 : 6);
        CHECK(state_hash(a.state) == state_hash(expected.state));
        CHECK(a.state.time == expected.state.time);
        CHECK(a.numbers == b.numbers);
        CHECK(a.numbers.at("kept") == std::vector<double>{1.0, 2.0});
        // Checksums of all bytes and frames: those written before the checkpoint, and no other.
        CHECK(a.outputs == b.outputs);
        REQUIRE(a.outputs.size() == 4);
        CHECK(a.outputs[2].length == (newest ? 20 : 14));  // frames of the H5MD file, and as many rows of energies
    }
}

std::unique_ptr<OutputFiles> files_of(const Setup& setup, const Comm& comm) {
    if (!comm.leads()) return nullptr;
    write_viewer_topologies(setup);
    return std::make_unique<OutputFiles>(setup, nullptr);
}

}  // namespace

TEST_CASE("files of a run are the same whatever the number of ranks") {
    const TemporaryFolder folder;
    write_system(folder.path());
    const Setup setup = setup_in(folder.path(), "ranks");
    write_steps(RunOutput(setup, files_of(setup, world()), Terminal::quiet, world()), setup, world());
    const Setup alone = setup_in(folder.path(), "alone");
    const Comm comm;
    write_steps(RunOutput(alone, files_of(alone, comm), Terminal::quiet, comm), alone, comm);
    if (world().leads()) {
        compare(setup, alone);
    } else {
        CHECK(std::filesystem::is_empty(setup.input.output.directory));
    }
}
