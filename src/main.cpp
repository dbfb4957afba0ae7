// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "core/version.h"
#include "io/input/input.h"
#include "run/cluster/fail_together.h"
#include "run/cluster/launch.h"
#include "run/cluster/progress_watch.h"
#include "run/commands/commands.h"
#include "run/signals.h"

namespace {

using namespace mdsim;

constexpr char about[] =
    "mdsim: molecular dynamics of biomolecules\n\n"
    "  mdsim -i FILE.inp                run the stages of FILE; run it again to continue where it stopped\n"
    "  mdsim -i FILE.inp --check        read everything, print what would run, run nothing\n"
    "  mdsim energy -i FILE.inp         every energy term at the starting coordinates\n"
    "  mdsim parity -i FILE.inp         the same as AMBER, GROMACS, CHARMM and OpenMM print them, or beside their own\n"
    "  mdsim bench -i FILE.inp          time of a step and of its parts\n"
    "  mdsim plan -i FILE.inp           speed, memory, disk and layout on the nodes of a cluster, and its sbatch "
    "script\n"
    "  mdsim map TRAJECTORY MAP         mean density or potential on a grid, .vti or .dx\n"
    "  mdsim watch RUN                  where a run stands: stage, speed, time to go, course of the energies\n"
    "  mdsim report RUN                 one HTML page about a run\n"
    "  mdsim analyse RUN rmsd           rmsd, rmsf, rgyr, rdf, msd, diffusion, density, hbonds as CSV\n"
    "  mdsim info FILE                  what is in a topology, structure, trajectory or checkpoint\n"
    "  mdsim convert IN OUT             between the formats of trajectories and structures\n\n"
    "Exit codes: 0 finished, 1 internal error, 2 usage or input, 3 physics unstable, 74 input/output or disk full,\n"
    "75 stopped cleanly before the end, or a GPU was lost (run the same command again), 128+n on signal n.\n"
    "Every key of an input file: docs/input_reference.md.";

// 1, 2, 3 ...; CLI11's own check prints the largest double as the end of the range.
CLI::Validator counting_number(const std::string& otherwise) {
    const auto check = [otherwise](std::string& text) {
        int number = 0;
        if (CLI::detail::lexical_cast(text, number) && number > 0) return std::string();
        return fmt::format("{} is no whole number from 1 to {}; {}", text, std::numeric_limits<int>::max(), otherwise);
    };
    return {check, "N"};
}

void add_common(CLI::App& app, CommonOptions& common) {
    app.add_option("-i,--input", common.input, "input file (.inp)");
    app.add_option("--set", common.overrides,
                   "KEY=VALUE: override a key of the input, VALUE in TOML, for example "
                   "'forces.cutoff=\"1.0 nm\"'")
        ->allow_extra_args(false);
    app.add_option("--threads", common.threads, "number of threads (default: all processors)")
        ->check(counting_number("leave it out to use all processors"));
}

struct CommandLine {
    RunOptions run;
    EnergyOptions energy;
    ParityOptions parity;
    BenchOptions bench;
    PlanOptions plan;
    MapOptions map;
    AnalyseOptions analyse;
    WatchOptions watch;
    ReportOptions report;
    ConvertOptions convert;
    std::filesystem::path info_file;
    bool info_json = false;
    bool print_reference = false;
};

// What other commands than a run print is their whole result: it must have arrived.
void require_printed() {
    if (std::fflush(stdout) == 0) return;
    throw_io_error({.code = "MD601",
                    .place = {"standard output"},
                    .what = std::string("writing failed: ") + std::strerror(errno),
                    .remedy = "make room where the output goes, or send it elsewhere"});
}

// All ranks find the same, and one says it.
int usage_error(const CLI::App& app, const CLI::ParseError& error, const Comm& world) {
    if (!world.leads())
        return static_cast<int>(error.get_exit_code() == 0 ? ExitCode::finished : ExitCode::input_error);
    if (error.get_exit_code() == 0) {  // --help, --version
        std::ostringstream text;
        app.exit(error, text, text);
        fmt::print("{}", text.str());
        require_printed();
        return static_cast<int>(ExitCode::finished);
    }
    std::fprintf(stderr, "error: [MD100] %s\n    try: mdsim --help\n", error.what());
    return static_cast<int>(ExitCode::input_error);
}

ExitCode dispatch(const CLI::App& app, const CommandLine& line, const Comm& world) {
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
        return energy_command(line.energy, world);
    }
    if (app.got_subcommand("parity")) {
        require_input(line.parity.common);
        return parity_command(line.parity, world);
    }
    if (app.got_subcommand("bench")) {
        require_input(line.bench.common);
        return bench_command(line.bench, world);
    }
    if (app.got_subcommand("plan")) {
        require_input(line.plan.common);
        return plan_command(line.plan);
    }
    if (app.got_subcommand("map")) return map_command(line.map);
    if (app.got_subcommand("analyse")) return analyse_command(line.analyse);
    if (app.got_subcommand("watch")) return watch_command(line.watch);
    if (app.got_subcommand("report")) return report_command(line.report);
    if (app.got_subcommand("convert")) return convert_command(line.convert);
    if (app.got_subcommand("info")) return info_command(line.info_file, line.info_json);
    require_input(line.run.common);
    return run_command(line.run, world);
}

// What stands first and is no option is a command; CLI11 would only say that it did not expect it.
void require_command(const CLI::App& app, const std::string& word) {
    if (word.empty() || word.front() == '-') return;
    if (!app.get_subcommands([&](const CLI::App* command) { return command->check_name(word); }).empty()) return;
    static const std::set<std::string> later{"lint", "validate"};
    throw_input_error(
        {.code = "MD100",
         .what = fmt::format("there is no command \"{}\"{}", word,
                             later.contains(word) ? ": this version of mdsim does not have it yet" : ""),
         .remedy = "the commands are energy, parity, bench, plan, map, watch, report, analyse, convert and info; a run "
                   "has none: mdsim -i FILE.inp"});
}

void add_parity(CLI::App& app, ParityOptions& options) {
    CLI::App* parity = app.add_subcommand(
        "parity",
        "energies at the starting coordinates by the names, units and Coulomb constants of AMBER, GROMACS, CHARMM and "
        "OpenMM (docs/parity.md)");
    add_common(*parity, options.common);
    parity
        ->add_option("--against", options.against,
                     "gromacs or openmm: run that engine on the same files and compare; exit code 3 where it differs")
        ->check(CLI::IsMember({"gromacs", "openmm"}));
    parity->add_option("--engine", options.engine, "its program: gmx_d, gmx, or a Python that has OpenMM");
    parity->add_flag("--json", options.json, "print JSON");
}

void add_plan(CLI::App& app, PlanOptions& options) {
    CLI::App* plan = app.add_subcommand(
        "plan",
        "predict speed, memory and disk on the nodes of a cluster: measures this machine for some seconds, and "
        "computes "
        "the rest from the size of halos and mesh and from what a message costs (docs/scaling.md has the model and how "
        "far it was off)");
    add_common(*plan, options.common);
    plan->get_option("--threads")->description("threads of each rank (default: those with the shortest step)");
    const auto count = counting_number("leave it out to take this machine's");
    plan->add_option("--nodes", options.texts.nodes, "numbers of nodes to compare: 1,2,4");
    plan->add_option("--cores-per-node", options.texts.cores_per_node, "cores of a node (default: of this machine)")
        ->check(count);
    plan->add_option("--gpus-per-node", options.texts.gpus_per_node,
                     "GPUs of a node: one rank for each (default: none)")
        ->check(counting_number("leave it out for nodes without GPUs"));
    plan->add_option("--latency", options.texts.latency, "of a message between nodes, with unit (default: \"2 us\")");
    plan->add_option("--bandwidth", options.texts.bandwidth,
                     "of a node's connection, with unit (default: \"12 GB/s\")");
    plan->add_option("--price", options.texts.price,
                     "of a node for an hour, \"1.20 EUR\" (any word for the money): adds the cost of a nanosecond");
    plan->add_option("--watts", options.texts.watts,
                     "of a node, \"800 W\" or \"0.8 kW\": adds the energy of a nanosecond");
    plan->add_option("--sbatch", options.sbatch, "FILE: write a Slurm script for the layout that is recommended");
    plan->add_flag("--json", options.json, "print JSON");
}

void add_map(CLI::App& app, MapOptions& options) {
    CLI::App* map = app.add_subcommand(
        "map", "average a field over the frames of a trajectory, for volume rendering (docs/paraview.md#maps)");
    map->add_option("TRAJECTORY", options.trajectory, "any trajectory that mdsim reads")->required();
    map->add_option("MAP", options.map, "the file to write: .vti for ParaView, .dx for VMD, PyMOL or ChimeraX")
        ->required();
    map->add_option("--quantity", options.quantity, "number, charge (densities) or potential (electrostatic)")
        ->check(CLI::IsMember({"number", "charge", "potential"}));
    map->add_option("--select", options.select,
                    "SELECTION: atoms that count (default: all); distances are those of the first frame");
    map->add_option("--topology", options.topology, "topology of the run, where the trajectory has coordinates alone");
    map->add_option("--spacing", options.spacing, "largest edge of a cell (default: \"0.1 nm\")");
    map->add_option("--splitting", options.splitting,
                    "of the potential: charges are Gaussians exp(-(splitting r)^2) (default: \"3.12 /nm\")");
    map->add_option("--from", options.from, "time of the first frame, with unit");
    map->add_option("--to", options.to, "time of the last frame, with unit");
    map->add_option("--threads", options.threads, "number of threads (default: all processors)")
        ->check(counting_number("leave it out to use all processors"));
    map->add_option("--every", options.every, "take one of so many frames")
        ->check(counting_number("leave it out to take each"));
}

void add_analyse(CLI::App& app, AnalyseOptions& options) {
    CLI::App* analyse =
        app.add_subcommand("analyse",
                           "measure over a trajectory, as CSV: rmsd, rmsf, rgyr, rdf, msd, diffusion, density, hbonds "
                           "(docs/analysis.md)");
    const auto count = counting_number("leave it out for the default");
    analyse->add_option("RUN|FILES", options.words, "a run, or topology and trajectories, and quantities; none: all")
        ->required();
    analyse->add_option("-o,--output", options.output,
                        "file, or what files' names begin with where there are several quantities");
    analyse->add_option("--topology", options.topology, "names of the atoms, where the trajectory has none");
    analyse->add_option("--from", options.from, "first time, \"5 ps\"");
    analyse->add_option("--to", options.to, "last time");
    analyse->add_option("--every", options.every, "take every Nth frame")->check(count);
    analyse->add_option("--threads", options.threads, "number of threads (default: all processors)")->check(count);
    QuantityOptions& q = options.quantity;
    analyse->add_option("--select", q.select, "atoms that are measured (docs/selections.md)");
    analyse->add_option("--other", q.other, "rdf, hbonds: the second group (default: the first)");
    analyse->add_option("--fit", q.fit, "rmsd, rmsf: atoms that are superposed (default: those that are measured)");
    analyse->add_option("--reference", q.reference, "rmsd, rmsf: structure to compare with (default: the first frame)");
    analyse->add_flag("--mass", q.mass, "rmsd, rmsf: weight by mass");
    analyse->add_option("--range", q.range, "rdf: longest distance (default: \"1 nm\")");
    analyse->add_option("--bins", q.bins, "rdf, density: number of bins (200, 100)")->check(count);
    analyse->add_flag("--intermolecular", q.intermolecular, "rdf: leave out pairs of one molecule");
    analyse->add_flag("--molecules", q.molecules, "msd, diffusion: centres of mass of molecules");
    analyse->add_option("--lags", q.lags, "msd, diffusion: longest lag, in frames (100)")->check(count);
    analyse->add_option("--axis", q.axis, "density: x, y or z (default: z)");
    analyse->add_option("--distance", q.distance, "hbonds: longest from donor to acceptor (\"0.3 nm\")");
    analyse->add_option("--angle", q.angle, "hbonds: smallest at the hydrogen (\"150 deg\")");
}

void add_watch(CLI::App& app, WatchOptions& options) {
    CLI::App* watch = app.add_subcommand(
        "watch",
        "where a running or finished run stands, from its files: stage, step, speed, time to go, course of "
        "energies and temperature; on a terminal again and again until it ends");
    watch->add_option("RUN", options.run, "the .inp of a run, its folder, or the beginning of its files' names")
        ->required();
    watch->add_flag("--once", options.once, "print it once");
    watch->add_flag("--json", options.json, "print JSON, once");
    watch->add_option("--every", options.every, "seconds between two looks (2)")->check(CLI::PositiveNumber);
}

void add_report(CLI::App& app, ReportOptions& options) {
    CLI::App* report = app.add_subcommand(
        "report",
        "one HTML page about a run, from its files: what was run, energies with errors, protein and water, "
        "timing, warnings");
    report->add_option("RUN", options.run, "the .inp of a run, its folder, or the beginning of its files' names")
        ->required();
    report->add_option("-o,--output", options.output, "file (default: NAME.report.html)");
    report->add_option("--threads", options.threads, "number of threads (default: all processors)")
        ->check(counting_number("leave it out to use all processors"));
}

void add_convert(CLI::App& app, ConvertOptions& options) {
    CLI::App* convert = app.add_subcommand(
        "convert",
        "from one format of trajectories or structures to another, which the ends of the names tell: .h5, .xtc, .trr, "
        ".dcd, .nc, .gro, .pdb, .cif, .psf, .pvd (docs/trajectories.md)");
    convert->add_option("IN", options.in, "a trajectory, structure or topology")->required();
    convert->add_option("OUT", options.out, "what it becomes; a file of this name is kept aside")->required();
    convert->add_option("--topology", options.topology,
                        "names of the atoms, where IN has none: .top, .prmtop, .psf, .pdb, .gro, .cif");
    convert->add_option("--select", options.select, "SELECTION: these atoms only");
    convert->add_option("--from", options.from, "first frame: a number, counted from 0, or a time (\"10 ps\")");
    convert->add_option("--to", options.to, "last frame, in the same way; it is taken, too");
    convert->add_option("--every", options.every, "every n-th frame, or one every so often (\"10 ps\")");
    convert->add_flag("--whole", options.whole, "molecules are put together and into the box");
    convert->add_option("--centre,--center", options.centre, "SELECTION: moved to the middle of the box");
    convert->add_option("--fit", options.fit,
                        "SELECTION: everything is turned and moved so that it lies where it was in the first frame");
    convert->add_option("--precision", options.precision, "positions are rounded to this (\"0.001 nm\")");
    convert->add_option("--pieces", options.pieces, "of a .pvd: atoms of a frame in so many files, listed by a .pvtp")
        ->check(counting_number("leave it out for one"));
    convert->add_flag("--quiet", options.quiet, "print nothing but errors");
}

int run_program(int argc, char** argv, const Comm& world) {
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
    energy->add_option("--precision", line.energy.common.precision, "mixed or double")
        ->check(CLI::IsMember({"mixed", "double"}));
    energy->add_flag("--json", line.energy.json, "print JSON");
    energy->add_option("--forces", line.energy.forces, "write forces to this file (.npy, or text)");
    add_parity(app, line.parity);
    CLI::App* bench = app.add_subcommand("bench", "time the step");
    add_common(*bench, line.bench.common);
    bench->add_option("--steps", line.bench.steps, "steps to time")
        ->check(counting_number("leave it out to fill some seconds"));
    bench->add_flag("--json", line.bench.json, "print JSON");
    bench->add_option(
        "--ranks", line.bench.ranks,
        "1,2,4: start mpirun for each count of ranks and compare them; one thread a rank unless --threads "
        "says otherwise");
    bench->add_option("--trace", line.bench.trace,
                      "FILE: write a timeline of 20 more steps, for chrome://tracing or ui.perfetto.dev");
    add_plan(app, line.plan);
    add_map(app, line.map);
    add_analyse(app, line.analyse);
    add_watch(app, line.watch);
    add_report(app, line.report);
    add_convert(app, line.convert);
    CLI::App* info = app.add_subcommand("info", "describe a file");
    info->add_option("FILE", line.info_file, "any file that mdsim reads")->required();
    info->add_flag("--json", line.info_json, "print JSON");
    if (argc > 1) require_command(app, argv[1]);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return usage_error(app, error, world);
    }
    const ExitCode exit = dispatch(app, line, world);
    const bool runs = app.get_subcommands().empty() && !line.run.check && !line.print_reference;
    if (!runs) require_printed();
    return static_cast<int>(exit);
}

// A standard stream that is closed leaves its number to the next file that is opened, and what is printed would go
// into an output. What holds the number instead refuses every write.
void occupy_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) >= 0) continue;
        if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

int run_together(int argc, char** argv, const Launch& launch, const Comm& world) {
    const FailTogether failing(world);
    try {
        require_joined(launch, world.size(), mpi_library());
        return run_program(argc, argv, world);
    } catch (const std::exception& error) {
        return failing.end(error);
    }
}

}  // namespace

int main(int argc, char** argv) {
    occupy_standard_streams();
    // A write beyond the limit for the size of files fails then, as on a full disk, in place of ending the process.
    std::signal(SIGXFSZ, SIG_IGN);
    const mdsim::Launch launch = mdsim::find_launch(mdsim::this_environment());
    std::optional<mdsim::ProgressWatch> leaving;
    const mdsim::RankProgram ranks(argc, argv);
    const int exit = run_together(argc, argv, launch, ranks.world());
    if (ranks.world().alone()) return exit;
    mdsim::ignore_stop_signals();
    leaving.emplace(mdsim::ProgressWatch::Settings{.rank = ranks.world().rank()});
    // A launcher ends those that still write when the first rank has left with another exit code than 0. MPI's own end,
    // which may wait for all as well, does not always.
    ranks.world().barrier();
    return exit;
}
