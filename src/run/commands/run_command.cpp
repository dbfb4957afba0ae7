// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <fmt/format.h>

#include "io/output/run_lock.h"
#include "run/commands/commands.h"
#include "run/commands/plan.h"
#include "run/output/writing/state_line.h"
#include "run/protocol.h"
#include "run/signals.h"

namespace mdsim {

namespace {

using Existing = RunOutput::Existing;

// A first checkpoint that promises no output yet. A run that ends before it has written another one finds by it that
// the files are its own, and begins again where its input is still the same.
void claim_outputs(const Setup& setup) {
    Checkpoint c;
    c.state = setup.start;
    c.input = setup.input.canonical;
    c.seed = setup.input.system.seed;
    c.system = checksums_of(setup.identity);
    write_checkpoint(RunPaths(setup.input.output).checkpoint(), c);
}

bool has_checkpoint(const Setup& setup) {
    const CheckpointPaths paths = RunPaths(setup.input.output).checkpoint();
    return std::filesystem::exists(paths.newest) || std::filesystem::exists(paths.previous);
}

bool is_claim(const Checkpoint& checkpoint) {
    return checkpoint.outputs.empty();
}

// From here on no other process works on this run.
RunLock take_lock(const Setup& setup) {
    return RunLock::take(RunPaths(setup.input.output).lock(), [](const std::string& text) { warn({text}); });
}

using Lock = std::optional<RunLock>;

/// What the leading rank finds and opens before all ranks begin.
struct Beginning {
    Lock lock;
    std::unique_ptr<OutputFiles> files;      ///< null: there is nothing to do but what `owes_minimum` says
    std::optional<Checkpoint> from;          ///< none: from the start
    std::vector<std::string> log, terminal;  ///< first lines
    std::vector<std::string> warnings;
};

void start_fresh(const Setup& setup, Existing existing, Beginning& b) {
    // What is wrong with the input comes to light here, before there is a file.
    b.log = describe_run(setup);
    RunOutput::require_apart_from_inputs(setup);
    RunOutput::make_directory(setup);
    if (!b.lock) b.lock.emplace(take_lock(setup));
    RunOutput::make_room(setup, existing);
    if (existing != Existing::remove) claim_outputs(setup);
    write_viewer_topologies(setup);
    b.files = std::make_unique<OutputFiles>(setup, nullptr);
    if (existing == Existing::remove)
        b.terminal.emplace_back("this run ended before its first checkpoint: it begins again, with new outputs");
    b.warnings = setup.hardware.warnings;
}

// A last stage that was finished and is longer now is taken up again where it ended.
void reopen_last_stage(const Input& stored, const Input& now, Checkpoint& checkpoint) {
    const std::size_t done = stored.stages.size();
    if (checkpoint.stage != static_cast<std::int64_t>(done) || done == 0) return;
    if (now.stages[done - 1].steps <= stored.stages[done - 1].steps) return;
    --checkpoint.stage;
    checkpoint.numbers.at("progress").at(0) = 1.0;
}

enum class Newest { whole, damaged };

// What a continuation needs to be as it was when the run was begun.
void require_same_run(const Setup& setup, const Input& stored, const Checkpoint& checkpoint) {
    require_continuable(stored, setup.input);
    require_same_system(checkpoint.system, setup.identity);
    if (checkpoint.state.x.size() == setup.start.x.size()) return;
    throw_input_error({.code = "MD409",
                       .place = {setup.input.system.coordinates.string()},
                       .what = fmt::format("the system has {} atoms, the checkpoint {}", setup.start.x.size(),
                                           checkpoint.state.x.size()),
                       .remedy = "put the files back as they were, or start over with --restart"});
}

// Everything that this does before it runs leaves the outputs as they are.
void go_on(const Setup& setup, const Checkpoint& checkpoint, Newest newest, Beginning& b) {
    const Input stored = parse_input(checkpoint.input, setup.input.file);
    require_same_run(setup, stored, checkpoint);
    Checkpoint& from = b.from.emplace(checkpoint);
    reopen_last_stage(stored, setup.input, from);
    const std::size_t stages = setup.input.stages.size();
    if (from.stage == static_cast<std::int64_t>(stages)) {
        b.terminal.push_back(
            fmt::format("all {} stages are done at step {} ({} ps): nothing to do; --restart starts over\n{}", stages,
                        from.state.step, from.state.time, state_line(from.state)));
        if (Protocol::owes_minimum(from)) b.files = std::make_unique<OutputFiles>(setup, &from);
        return;
    }
    b.files = std::make_unique<OutputFiles>(setup, &from);
    // The next checkpoint would put a damaged newest one in the place of the only whole one.
    if (newest == Newest::damaged) move_aside({RunPaths(setup.input.output).checkpoint().newest});
    b.terminal.push_back(fmt::format("continuing stage {} ({}) at step {}, {} ps", from.stage + 1,
                                     setup.input.stages[static_cast<std::size_t>(from.stage)].name, from.state.step,
                                     from.state.time));
    b.terminal.insert(b.terminal.end(), setup.hardware.notes.begin(), setup.hardware.notes.end());
}

void find_beginning(Setup& setup, const RunOptions& options, Beginning& b) {
    identify_reference_files(setup);
    std::error_code none;
    if (std::filesystem::is_directory(setup.input.output.directory, none)) b.lock.emplace(take_lock(setup));
    if (options.restart) return start_fresh(setup, Existing::move_aside, b);
    std::vector<std::string> warnings;
    const auto checkpoint = read_checkpoint(RunPaths(setup.input.output).checkpoint(), warnings);
    warn(warnings);
    if (!checkpoint) return start_fresh(setup, Existing::refuse, b);
    if (is_claim(*checkpoint)) {
        require_same_run(setup, parse_input(checkpoint->input, setup.input.file), *checkpoint);
        // Outputs that an unreadable newest checkpoint may have promised are kept.
        return start_fresh(setup, warnings.empty() ? Existing::remove : Existing::move_aside, b);
    }
    go_on(setup, *checkpoint, warnings.empty() ? Newest::whole : Newest::damaged, b);
}

enum class Work : std::int64_t { nothing, owed_minimum, stages };

// The same on all ranks.
Work work_of(const Setup& setup, const Beginning& b, const Comm& world) {
    auto work = Work::stages;
    if (b.from && b.from->stage == static_cast<std::int64_t>(setup.input.stages.size())) {
        work = b.files ? Work::owed_minimum : Work::nothing;
    }
    world.broadcast(std::as_writable_bytes(std::span(&work, 1)));
    return work;
}

void check(const Setup& setup, const RunOptions& options) {
    for (const std::string& line : describe_run(setup)) fmt::print("{}\n", line);
    if (options.restart || !has_checkpoint(setup)) RunOutput::require_apart_from_inputs(setup);
}

void require_stages(const Setup& setup) {
    if (!setup.input.stages.empty()) return;
    throw_input_error({.code = "MD411",
                       .place = {setup.input.file.string()},
                       .what = "the input has no [[stage]]: there is nothing to run",
                       .remedy = "add a stage, as in inputs/protein.inp"});
}

}  // namespace

ExitCode run_command(const RunOptions& options, const Comm& world) {
    Setup setup = open_setup(options.common, world);
    const Terminal terminal = options.quiet || !world.leads() ? Terminal::quiet : Terminal::speaks;
    if (options.check) {
        lead_alone(world, [&] { check(setup, options); });
        return ExitCode::finished;
    }
    together(world, [&] { require_stages(setup); });
    catch_stop_signals();
    Beginning beginning;
    lead_alone(world, [&] { find_beginning(setup, options, beginning); });
    const Work work = work_of(setup, beginning, world);
    if (work != Work::nothing) {
        RunOutput output(setup, std::move(beginning.files), terminal, world);
        if (work == Work::stages) {
            for (const std::string& line : beginning.terminal) output.log().say(line);
        }
        for (const std::string& line : beginning.log) output.log().line(line);
        for (const std::string& warning : beginning.warnings) output.log().note("warning: " + warning);
        Protocol protocol(setup, std::move(output));
        protocol.begin(take_start(setup), std::move(beginning.from));
        if (work == Work::stages) return protocol.run();
        protocol.write_minimum();
    }
    for (const std::string& line : beginning.terminal) {
        if (terminal == Terminal::speaks) fmt::print("{}\n", line);
    }
    return ExitCode::finished;
}

}  // namespace mdsim
