// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <exception>
#include <system_error>

#include <CLI/CLI.hpp>

#include "core/version.h"
#include "io/input/input.h"
#include "run/commands/commands.h"

namespace {

using namespace mdsim;

constexpr char about[] =
    "mdsim: molecular dynamics of biomolecules\n\n"
    "  mdsim -i FILE.inp                run the stages of FILE; run it again to continue where it stopped\n"
    "  mdsim -i FILE.inp --check        read everything, print what would run, run nothing\n"
    "  mdsim energy -i FILE.inp         every energy term at the starting coordinates\n"
    "  mdsim bench -i FILE.inp          time of a step and of its parts\n"
    "  mdsim info FILE                  what is in a topology, structure, trajectory or checkpoint\n\n"
    "Exit codes: 0 finished, 1 internal error, 2 usage or input, 3 physics unstable, 74 input/output or disk full,\n"
    "75 stopped cleanly before the end (run the same command again), 128+n on signal n.\n"
    "Every key of an input file: docs/input_reference.md.";

void add_common(CLI::App& app, CommonOptions& common) {
    app.add_option("-i,--input", common.input, "input file (.inp)");
    app.add_option("--set", common.overrides,
                   "KEY=VALUE: override a key of the input, VALUE in TOML, for example "
                   "'forces.cutoff=\"1.0 nm\"'")
        ->allow_extra_args(false);
    app.add_option("--threads", common.threads, "number of threads (default: all processors)")
        ->check(CLI::PositiveNumber);
}

struct CommandLine {
    RunOptions run;
    EnergyOptions energy;
    BenchOptions bench;
    std::filesystem::path info_file;
    bool info_json = false;
    bool print_reference = false;
};

int usage_error(const CLI::App& app, const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "error: [MD100] %s\n    try: mdsim --help\n", error.what());
    return static_cast<int>(ExitCode::input_error);
}

ExitCode dispatch(const CLI::App& app, const CommandLine& line) {
    if (line.print_reference) {
        std::fputs(input_reference_markdown().c_str(), stdout);
        return ExitCode::finished;
    }
    const auto require_input = [](const CommonOptions& common) {
        if (!common.input.empty()) return;
        throw_input_error(
            {.code = "MD100", .what = "no input file", .remedy = "mdsim -i FILE.inp; mdsim --help says more"});
    };
    if (app.got_subcommand("energy")) {
        require_input(line.energy.common);
        return energy_command(line.energy);
    }
    if (app.got_subcommand("bench")) {
        require_input(line.bench.common);
        return bench_command(line.bench);
    }
    if (app.got_subcommand("info")) return info_command(line.info_file, line.info_json);
    require_input(line.run.common);
    return run_command(line.run);
}

int run_program(int argc, char** argv) {
    CommandLine line;
    CLI::App app(about, "mdsim");
    app.set_version_flag("--version",
                         std::string("mdsim ") + version + " (" + revision + "; " + build_description + ")");
    add_common(app, line.run.common);
    app.add_flag("--restart", line.run.restart, "start over; outputs of the earlier run are kept aside");
    app.add_flag("--check", line.run.check, "read and check everything, print the plan, run nothing");
    app.add_flag("--quiet", line.run.quiet, "print nothing but errors (the log file is written all the same)");
    app.add_flag("--print-input-reference", line.print_reference)->group("");
    CLI::App* energy = app.add_subcommand("energy", "energy terms, virial and forces at the starting coordinates");
    add_common(*energy, line.energy.common);
    energy->add_option("--precision", line.energy.precision, "mixed or double")
        ->check(CLI::IsMember({"mixed", "double"}));
    energy->add_flag("--json", line.energy.json, "print JSON");
    energy->add_option("--forces", line.energy.forces, "write forces to this file (.npy, or text)");
    CLI::App* bench = app.add_subcommand("bench", "time the step");
    add_common(*bench, line.bench.common);
    bench->add_option("--steps", line.bench.steps, "steps to time")->check(CLI::PositiveNumber);
    bench->add_flag("--json", line.bench.json, "print JSON");
    CLI::App* info = app.add_subcommand("info", "describe a file");
    info->add_option("FILE", line.info_file, "any file that mdsim reads")->required();
    info->add_flag("--json", line.info_json, "print JSON");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return usage_error(app, error);
    }
    const ExitCode exit = dispatch(app, line);
    // What a run prints is in its log as well; of the other commands it is the whole result.
    const bool runs = app.get_subcommands().empty() && !line.run.check && !line.print_reference;
    if (!runs && std::fflush(stdout) != 0) throw std::system_error(errno, std::generic_category());
    return static_cast<int>(exit);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run_program(argc, argv);
    } catch (const mdsim::Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return static_cast<int>(error.exit_code());
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr,
                     "error: [MD901] not enough memory\n    try: a machine with more memory, or a smaller system\n");
        return static_cast<int>(mdsim::ExitCode::internal_error);
    } catch (const std::system_error& error) {
        std::fprintf(stderr, "error: [MD601] %s\n    try: check permissions and the room on the disk\n", error.what());
        return static_cast<int>(mdsim::ExitCode::io_error);
    } catch (const std::exception& error) {
        std::fprintf(
            stderr, "error: [MD900] %s\n    why: this is an error in mdsim\n    try: please report it with the input\n",
            error.what());
        return static_cast<int>(mdsim::ExitCode::internal_error);
    }
}
