// SPDX-License-Identifier: Apache-2.0
#include "run/protocol.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "integrate/minimise/minimiser.h"
#include "run/continuing/stored_references.h"
#include "run/hardware/process_memory.h"
#include "run/mesh_trial/settle_mesh_ranks.h"
#include "run/output/timing_table.h"
#include "run/output/writing/state_line.h"
#include "run/signals.h"

namespace mdsim {

namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string as_clock(double seconds) {
    const auto s = static_cast<std::int64_t>(seconds);
    return fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

// In the numbers of a checkpoint; there while the minimum is not written.
constexpr const char* minimum_owed = "minimum_owed";

}  // namespace

Protocol::Protocol(const Setup& setup, RunOutput output)
    : setup_(setup),
      output_(std::move(output)),
      domain_(make_domain(setup, separate_mesh_ranks(setup))),
      last_checkpoint_(Clock::now()),
      watch_({.give_up_after = setup.input.hardware.give_up_after, .rank = ranks().rank()}) {}

std::string Protocol::state_line() const {
    return mdsim::state_line(state_, domain_->ids(), ranks());
}

void Protocol::begin(State start, std::optional<Checkpoint> from) {
    const bool continues = from.has_value();
    state_ = std::move(start);
    if (continues) resume(*std::exchange(from, std::nullopt));
    share_progress();
    domain_->distribute(state_);
    for (const std::string& note : domain_->notes()) continues ? output_.log().say(note) : output_.log().line(note);
    attach_references();
    give_back_freed_memory();
}

void Protocol::resume(Checkpoint checkpoint) {
    state_ = std::move(checkpoint.state);
    state_.coupling = of_this_rank(state_.coupling, ranks_of(setup_));
    stage_ = static_cast<std::size_t>(checkpoint.stage);
    start_ = {checkpoint.stage_start_step, checkpoint.stage_start_time};
    const std::vector<double>& progress = checkpoint.numbers.at("progress");
    stage_begun_ = progress.at(0) != 0.0;
    minimiser_steps_ = static_cast<std::int64_t>(progress.at(1));
    output_.set_last_written(static_cast<std::int64_t>(progress.at(2)));
    const std::size_t stages = setup_.input.stages.size();
    if (stage_begun_ && stage_ < stages)
        references_ = restore_references(checkpoint.numbers, stage().restraints.size());
    if (owes_minimum(checkpoint) && stage_ == stages) {
        references_ = restore_references(checkpoint.numbers, setup_.input.stages.back().restraints.size());
    }
    last_checkpoint_step_ = state_.step;
}

// What the leading rank knows of a run that goes on.
void Protocol::share_progress() {
    struct Progress {
        std::size_t stage, references;
        StageStart start;
        bool stage_begun;
        std::int64_t minimiser_steps, last_written, last_checkpoint_step;
    } progress{stage_,
               references_.boxes.size(),
               start_,
               stage_begun_,
               minimiser_steps_,
               output_.last_written(),
               last_checkpoint_step_};
    ranks().broadcast(std::as_writable_bytes(std::span(&progress, 1)));
    stage_ = progress.stage;
    start_ = progress.start;
    stage_begun_ = progress.stage_begun;
    minimiser_steps_ = progress.minimiser_steps;
    last_checkpoint_step_ = progress.last_checkpoint_step;
    output_.set_last_written(progress.last_written);
    references_.boxes.resize(progress.references);
    ranks().broadcast(std::as_writable_bytes(std::span(references_.boxes)));
}

// Gives home atoms the places that they are held to in this stage, or in the last one when all are done.
void Protocol::attach_references() {
    const StageInput& of = setup_.input.stages[std::min(stage_, setup_.input.stages.size() - 1)];
    output_.keep(as_numbers(references_));
    if (references_.boxes.size() == of.restraints.size()) {
        state_.references = home_references(setup_, of, references_, *domain_);
    }
}

void Protocol::heed_job_end() {
    constexpr double patience = 5.0;  // [s]
    const Ask ask = [](const auto& command) { return ask_command(command, patience); };
    const WallTime now = std::chrono::system_clock::now();
    JobEnd end;
    lead_alone(ranks(), [&] { end = find_job_end(this_environment(), ask, now); });
    stop_clock_ = StopClock(end, setup_.input.hardware.spare_time, now);
    if (!end.warning.empty()) output_.log().say("warning: " + end.warning);
    if (end.at) output_.log().say(stop_clock_.describe());
}

// One rank does what it wishes; several do what any of them has wished before the last evaluation.
bool Protocol::agreed(Agreement::Topic topic, bool wish) {
    if (ranks().alone()) return wish;
    if (domain_->agreement().agreed(topic) != 0) return true;
    if (wish) domain_->agreement().say(topic, 1);
    return false;
}

void Protocol::stand_still_if_asked(std::int64_t step) {
    if (setup_.input.debug.stand_still_at_step != step || std::exchange(stood_still_, true)) return;
    ranks().barrier();
    stand_still();
}

bool Protocol::stop_asked(std::int64_t step) {
    stand_still_if_asked(step);
    watch_.progress();
    stop_clock_.checkpoint_took(output_.checkpoint_seconds());
    const auto& at = setup_.input.debug.stop_at_step;
    if (const int signal = stop_signal(); signal != 0) {
        stop_reason_ = fmt::format("stopping on signal {} ({})", signal, strsignal(signal));
    } else if (ranks().leads() && stop_clock_.due(std::chrono::system_clock::now())) {
        stop_reason_ = "stopping in time: " + stop_clock_.describe();
    }
    const bool stops = agreed(Agreement::Topic::stop, !stop_reason_.empty());
    if (stops && stop_reason_.empty()) stop_reason_ = "stopping on a signal to another rank";
    if (!stops && at && step >= *at) stop_reason_ = "stopping as debug.stop_at_step asks";
    return stops || (at && step >= *at);
}

// What is done once when a stage starts, and not again when it is continued.
void Protocol::begin_stage() {
    start_ = {state_.step, state_.time};
    minimiser_steps_ = 0;
    references_ = make_references(setup_, stage(), state_, *domain_);
    attach_references();
    output_.log().line(fmt::format("stage {} of {}: {}", stage_ + 1, setup_.input.stages.size(), stage().name));
}

ExitCode Protocol::run() {
    try {
        heed_job_end();
        return run_stages();
    } catch (const std::exception& error) {
        output_.note_failure(end_of(error));
        throw;
    }
}

ExitCode Protocol::run_stages() {
    while (stage_ < setup_.input.stages.size()) {
        const bool fresh = !stage_begun_;
        if (fresh) begin_stage();
        const bool done = stage().kind == StageKind::minimise ? run_minimisation() : run_dynamics();
        if (!done) {
            end_log(ExitCode::stopped);
            return ExitCode::stopped;
        }
        ++stage_;
        stage_begun_ = false;
        if (stage_ < setup_.input.stages.size()) checkpoint(state_);
    }
    end_log(ExitCode::finished);
    if (setup_.input.stages.back().kind == StageKind::minimise) {
        write_minimum();
    } else {
        checkpoint(state_);
    }
    output_.finish();
    return ExitCode::finished;
}

void Protocol::separate_atoms(const Minimiser& minimiser) {
    const SharedPlaces shared =
        with_place(stage().name, state_, [&] { return minimiser.separate(state_.box, state_.x); });
    if (shared.atoms == 0) return;
    output_.log().line(fmt::format("  {} atoms lie exactly on others, the first is {}: moved by 1e-4 nm, unless frozen",
                                   shared.atoms, AtomNames(setup_.topology).describe(shared.first)));
}

bool Protocol::run_minimisation() {
    const StageInput& stage = this->stage();
    const StageAtoms atoms(setup_, stage);
    const auto forces = build_forces(setup_, &stage, references_, *domain_, PrecisionChoice::double_);
    Minimiser minimiser(setup_.topology, atoms.of(*domain_), {stage.stop_below, stage.max_steps}, ranks(),
                        &domain_->sites());
    State trial;
    const Evaluate evaluate = [&](std::span<const Vec3d> x) {
        watch_.progress();
        trial.x.assign(x.begin(), x.end());
        const ForceSink& sink =
            forces->evaluate(trial, {.step = state_.step, .energies = Need::yes, .overlaps = Need::yes});
        const bool usable = !sink.energies().out_of_range();
        return Landscape{usable ? sink.energies().potential() : 0.0, usable, sink.forces()};
    };
    stage_begun_ = true;
    MinimiserReport report{.steps = minimiser_steps_};
    while (report.end == MinimiserEnd::running && report.steps < stage.max_steps) {
        // A stop between blocks keeps all; one inside a block would have to throw the block away, so it waits.
        if (stop_asked(state_.step)) return false;
        if (report.steps == 0) separate_atoms(minimiser);
        trial = state_;
        report = with_place(stage.name, state_, [&] { return minimiser.run_block(state_.x, report.steps, evaluate); });
        minimiser_steps_ = report.steps;
        output_.log().line(
            fmt::format("  iteration {:>6}  potential {:>16} kJ/mol  largest force {:>12.3f} kJ/mol/nm", report.steps,
                        report.usable ? fmt::format("{:.3f}", report.energy) : "out of range", report.max_force));
        // The last block is kept by the checkpoint at the end of the stage, which knows that it is over.
        if (report.end == MinimiserEnd::running) checkpoint_if_due(state_);
        if (!domain_->split()) continue;
        domain_->repartition(state_);
        minimiser.assign(atoms.of(*domain_));
        forces->atoms_changed();
    }
    // Where max_steps is 0, or was done before a stop, no block has said how it ended.
    if (report.end == MinimiserEnd::running) report.end = MinimiserEnd::max_steps;
    output_.log().line(fmt::format("  {}", describe(report.end)));
    return true;
}

bool Protocol::owes_minimum(const Checkpoint& checkpoint) {
    return checkpoint.numbers.contains(minimum_owed);
}

// Atoms are at rest. The last checkpoint does not have this line and frame, so that a stage that is added later begins
// as if it had always been there. It is written before, too, and owes them then: a run that is killed here writes them
// when it is called again.
void Protocol::write_minimum() {
    const StageInput& stage = setup_.input.stages.back();
    const Checkpoint last = checkpoint_facts();
    Checkpoint owing = last;
    owing.numbers[minimum_owed] = {1.0};
    output_.write_checkpoint(owing, state_, domain_->ids());
    const auto forces = build_forces(setup_, &stage, references_, *domain_, PrecisionChoice::double_);
    const ForceSink& sink = forces->evaluate(state_, {.step = state_.step, .energies = Need::yes});
    const std::vector<Vec3d> at_rest(state_.x.size());
    StepReport report;
    report.box = state_.box;
    report.on_step = {state_.x, at_rest, at_rest};
    report.forces = sink.forces();
    report.ids = domain_->ids();
    report.row = energy_row(state_, sink.energies(), KineticEnergies{},
                            {setup_.topology.mass(), thermostat_work(state_.coupling, ranks())});
    report.row.restraints = forces->restraints();
    const Due due = output_.due(stage, 0);
    if (has(due, Due::energies)) output_.write_energies(report.row);
    if (has(due, Due::trajectory)) output_.write_frame(stage, 0, report);
    output_.write_checkpoint(last, state_, domain_->ids(), Cut::as_before);
    output_.finish();
}

void Protocol::prepare_velocities(const StageInput& stage, const DynamicsParts& parts) {
    const bool first_dynamics =
        std::none_of(setup_.input.stages.begin(), setup_.input.stages.begin() + static_cast<std::ptrdiff_t>(stage_),
                     [](const StageInput& s) { return s.kind == StageKind::dynamics; });
    with_place(stage.name, state_, [&] { prepare_dynamics(state_, parts.atoms, *parts.constraints, ranks()); });
    if (first_dynamics && start_velocities(setup_, stage) == StartVelocities::generated) {
        generate_velocities(
            state_, parts.atoms, *parts.constraints,
            {*stage.temperature_from, parts.degrees, setup_.input.system.seed, com_removal(setup_, stage)}, ranks());
    }
    domain_->sites().settle(state_.x, state_.v);
}

// A continuation tries again, maybe elsewhere; the log's file keeps the lines of an uninterrupted run.
void Protocol::settle_mesh_ranks(DynamicsParts& parts) {
    if (mesh_ranks_settled_) return;
    const auto choice = mdsim::settle_mesh_ranks({setup_, stage(), references_, start_}, domain_, state_, parts);
    mesh_ranks_settled_ = choice.settled;
    for (const std::string& line : choice.log) stage_begun_ ? output_.log().say(line) : output_.log().line(line);
    watch_.progress();
}

bool Protocol::run_dynamics() {
    const StageInput& stage = this->stage();
    DynamicsParts parts =
        with_place(stage.name, state_, [&] { return build_dynamics(setup_, stage, references_, *domain_, start_); });
    if (!stage_begun_) prepare_velocities(stage, parts);
    settle_mesh_ranks(parts);
    stage_begun_ = true;
    const std::int64_t last_step = start_.step + stage.steps, first = state_.step;
    const auto began = Clock::now();
    const auto schedule = [&](std::int64_t step) {
        return step <= output_.last_written() ? Due::nothing : output_.due(stage, step - start_.step);
    };
    const auto ms_per_step = [&](std::int64_t step) {
        return 1e3 * seconds_since(began) / static_cast<double>(std::max<std::int64_t>(1, step - first));
    };
    const auto writer = [&](const StepReport& report, Due due) {
        if (has(due, Due::energies)) output_.write_energies(report.row);
        if (has(due, Due::trajectory)) output_.write_frame(stage, report.row.step - start_.step, report);
        if (has(due, Due::log)) log_energies(report.row, ms_per_step(report.row.step));
        output_.set_last_written(report.row.step);
    };
    const auto simulation = std::make_unique<Simulation>(std::move(parts), std::move(state_), schedule, writer);
    const auto stop = [&] {
        const State& now = simulation->state();
        const ScopedTimer timer(simulation->forces().timers(), Part::output);
        output_.poll();
        if (now.step > first) output_.log().progress(progress_text(now.step, ms_per_step(now.step)));
        checkpoint_if_due(now);
        return stop_asked(now.step);
    };
    simulation->run(last_step, stop);
    const bool done = simulation->state().step == last_step;
    if (done && stage_ + 1 == setup_.input.stages.size()) simulation->report_here();
    state_ = simulation->state();
    // Only a finished stage has its speed in the file: an interrupted run leaves the log of an uninterrupted one.
    const Pace pace{state_.step - first, seconds_since(began), stage.timestep,
                    static_cast<std::size_t>(setup_.topology.atoms())};
    for (const std::string& line : timing_table(simulation->forces(), pace)) {
        done ? output_.log().line(line) : output_.log().say(line);
    }
    return done;
}

void Protocol::checkpoint_if_due(const State& state) {
    const Cadence& every = stage().output.checkpoint;
    if (every.never()) return;
    const bool by_clock = every.wall_seconds > 0.0 && seconds_since(last_checkpoint_) >= every.wall_seconds;
    // The steps of a minimisation take no time and have no number: a cadence in either is kept after every block.
    const bool by_step =
        every.wall_seconds == 0.0 &&
        (stage().kind == StageKind::minimise || state.step - last_checkpoint_step_ >= every.in_steps(stage().timestep));
    if (by_step || agreed(Agreement::Topic::checkpoint, by_clock && ranks().leads())) checkpoint(state);
}

Checkpoint Protocol::checkpoint_facts() const {
    Checkpoint c;
    c.input = setup_.input.canonical;
    c.seed = setup_.input.system.seed;
    c.stage = static_cast<std::int64_t>(stage_);
    c.stage_start_step = start_.step;
    c.stage_start_time = start_.time;
    c.numbers["progress"] = {stage_begun_ ? 1.0 : 0.0, static_cast<double>(minimiser_steps_),
                             static_cast<double>(output_.last_written())};
    c.system = checksums_of(setup_.identity);
    return c;
}

void Protocol::checkpoint(const State& state) {
    // What a rank has kept must not be stored as if it were good.
    with_place(stage_ < setup_.input.stages.size() ? stage().name : std::string(), state,
               [&] { domain_->failure().throw_if_any(); });
    domain_->agreement().done(Agreement::Topic::checkpoint);
    output_.write_checkpoint(checkpoint_facts(), state, domain_->ids());
    last_checkpoint_ = Clock::now();
    last_checkpoint_step_ = state.step;
    watch_.progress();
}

void Protocol::log_energies(const EnergyRow& row, double ms_per_step) {
    const double left = 1e-3 * ms_per_step * static_cast<double>(start_.step + stage().steps - row.step);
    output_.log().line(energy_line(row, as_clock(left)));
    if (!row.restraints.empty()) output_.log().line(restraint_line(row));
}

std::string Protocol::progress_text(std::int64_t step, double ms_per_step) const {
    const std::int64_t last_step = start_.step + stage().steps;
    return fmt::format("{} ({}/{})  step {} of {}  {:.1f} ns/day  {} to go", stage().name, stage_ + 1,
                       setup_.input.stages.size(), step, last_step, 86400.0 * stage().timestep / ms_per_step,
                       as_clock(1e-3 * ms_per_step * static_cast<double>(last_step - step)));
}

void Protocol::end_log(ExitCode exit) {
    if (exit == ExitCode::stopped) {
        // The checkpoint is written before these lines, so that a continuation cuts them off again.
        checkpoint(state_);
        output_.log().line(stop_reason_);
        output_.log().line("stopped");
    } else {
        output_.log().line("finished");
    }
    output_.log().line(state_line());
    output_.finish();
}

}  // namespace mdsim
