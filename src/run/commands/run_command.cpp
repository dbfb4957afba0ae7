// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "run/commands/commands.h"
#include "run/commands/plan.h"
#include "run/protocol.h"
#include "run/signals.h"
#include "system/state_hash.h"

namespace mdsim {

namespace {

using Existing = RunOutput::Existing;

// A first checkpoint that promises no output yet. A run that is killed before it has written another one finds by it
// that the files are its own, and begins again.
void claim_outputs(const Setup& setup) {
    Checkpoint c;
    c.state = setup.start;
    c.input = setup.input.canonical;
    c.seed = setup.input.system.seed;
    write_checkpoint(RunPaths(setup.input.output).checkpoint(), c);
}

bool is_claim(const Checkpoint& checkpoint) {
    return checkpoint.outputs.empty();
}

ExitCode start_fresh(const Setup& setup, Existing existing, Terminal terminal) {
    // What is wrong with the input comes to light here, before there is a file.
    const std::vector<std::string> description = describe_run(setup);
    RunOutput::make_room(setup, existing);
    if (existing != Existing::remove) claim_outputs(setup);
    RunOutput output = RunOutput::create(setup, terminal);
    for (const std::string& line : description) output.log().line(line);
    Protocol protocol(setup, std::move(output));
    protocol.begin();
    return protocol.run();
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

// Everything that this does before it runs leaves the outputs as they are.
ExitCode go_on(const Setup& setup, const Checkpoint& checkpoint, Newest newest, Terminal terminal) {
    const auto say = [&](const std::string& text) {
        if (terminal == Terminal::speaks) fmt::print("{}\n", text);
    };
    const Input stored = parse_input(checkpoint.input, setup.input.file);
    require_continuable(stored, setup.input);
    if (checkpoint.state.x.size() != setup.start.x.size()) {
        throw_input_error({.code = "MD409",
                           .place = {setup.input.system.coordinates.string()},
                           .what = fmt::format("the system has {} atoms, the checkpoint {}", setup.start.x.size(),
                                               checkpoint.state.x.size()),
                           .remedy = "put the files back as they were, or start over with --restart"});
    }
    Checkpoint from = checkpoint;
    reopen_last_stage(stored, setup.input, from);
    if (from.stage == static_cast<std::int64_t>(setup.input.stages.size())) {
        say(fmt::format("all {} stages are done at step {} ({} ps): nothing to do; --restart starts over",
                        setup.input.stages.size(), from.state.step, from.state.time));
        say(fmt::format("state step={} time={} ps hash={:016x}", from.state.step, from.state.time,
                        state_hash(from.state)));
        return ExitCode::finished;
    }
    RunOutput output = RunOutput::reopen(setup, from, terminal);
    // The next checkpoint would put a damaged newest one in the place of the only whole one.
    if (newest == Newest::damaged) move_aside({RunPaths(setup.input.output).checkpoint().newest});
    Protocol protocol(setup, std::move(output));
    protocol.resume(from);
    say(fmt::format("continuing stage {} ({}) at step {}, {} ps", from.stage + 1,
                    setup.input.stages[static_cast<std::size_t>(from.stage)].name, from.state.step, from.state.time));
    return protocol.run();
}

}  // namespace

ExitCode run_command(const RunOptions& options) {
    const Setup setup = open_setup(options.common);
    const Terminal terminal = options.quiet ? Terminal::quiet : Terminal::speaks;
    if (options.check) {
        for (const std::string& line : describe_run(setup)) fmt::print("{}\n", line);
        return ExitCode::finished;
    }
    if (setup.input.stages.empty()) {
        throw_input_error({.code = "MD411",
                           .place = {setup.input.file.string()},
                           .what = "the input has no [[stage]]: there is nothing to run",
                           .remedy = "add a stage, as in inputs/protein.inp"});
    }
    catch_stop_signals();
    std::vector<std::string> warnings;
    std::optional<Checkpoint> checkpoint;
    if (!options.restart) checkpoint = read_checkpoint(RunPaths(setup.input.output).checkpoint(), warnings);
    for (const std::string& warning : warnings)
        fmt::print(stderr, "warning: using the older checkpoint:\n{}\n", warning);
    if (!checkpoint) return start_fresh(setup, options.restart ? Existing::move_aside : Existing::refuse, terminal);
    // Outputs that an unreadable newest checkpoint may have promised are kept.
    if (is_claim(*checkpoint))
        return start_fresh(setup, warnings.empty() ? Existing::remove : Existing::move_aside, terminal);
    return go_on(setup, *checkpoint, warnings.empty() ? Newest::whole : Newest::damaged, terminal);
}

}  // namespace mdsim
