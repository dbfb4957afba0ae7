// SPDX-License-Identifier: Apache-2.0
#include "run/simulation.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "core/units.h"
#include "gpu/api/error.h"
#include "gpu/api/timing/timeline.h"
#include "integrate/barostats/box_move.h"

namespace mdsim {

namespace {
// The double next to a whole number of 1e-8 ps: 0.44 ps is written as 0.44 in every output, not 0.44000000000000006.
// Exact up to 90 microseconds; beyond, the number has no digits left for it.
double as_decimal(double time) {
    return std::round(time * 1e8) / 1e8;
}
}  // namespace

Error located(const Error& error, const std::string& stage, const State& state) {
    std::vector<Problem> problems = error.problems();
    const bool of_device = dynamic_cast<const gpu::DeviceError*>(&error) != nullptr;
    const std::string in_stage = fmt::format("stage {}, step ", stage);
    for (Problem& problem : problems) {
        if (!of_device && error.exit_code() != ExitCode::unstable) break;
        if (problem.what.starts_with(in_stage)) continue;
        problem.what = fmt::format("{}{} ({:.6g} ps): {}", in_stage, state.step, state.time, problem.what);
    }
    return {error.exit_code(), std::move(problems)};
}

Simulation::Simulation(DynamicsParts parts, State state, Schedule schedule, Writer writer)
    : parts_(std::move(parts)), state_(std::move(state)), schedule_(std::move(schedule)), writer_(std::move(writer)) {}

void Simulation::run(std::int64_t last_step, const Stop& stop) {
    while (state_.step < last_step && !stop()) advance_watched(Migration::allowed);
    with_place(parts_.stage, state_, [&] { parts_.domain->failure().throw_if_any(); });
}

void Simulation::report_here() {
    const State kept = state_;
    advance_watched(Migration::none);
    state_ = kept;
}

void Simulation::advance_watched(Migration migration) {
    with_place(parts_.stage, state_, [&] { advance(migration); });
}

// The step. Its order is the order of the text.
void Simulation::advance(Migration migration) {
    if (box_move_due(state_.coupling)) {
        apply_box_move(state_, parts_.atoms, *parts_.constraints);
        parts_.domain->sites().settle(state_.x, state_.v);
    }
    if (migration == Migration::allowed && parts_.forces->halo_ends(state_)) repartition();
    if (parts_.coupling.tries_volume(state_.step)) try_volume();
    const Due due = schedule_(state_.step);
    const StepPlan plan = this->plan(due);
    const ForceSink& forces = parts_.forces->evaluate(state_, plan);
    integrate(forces, plan);
    check(forces);
    finish_step(forces, plan, due);
    ++state_.step;
    state_.time = as_decimal(parts_.start.time + static_cast<double>(state_.step - parts_.start.step) * parts_.dt);
}

// Atoms change ranks; all that is made for home atoms is made anew.
void Simulation::repartition() {
    const ScopedTimer timer(parts_.forces->timers(), Part::search);
    note_work();
    parts_.domain->repartition(state_);
    parts_.atoms = {};
    parts_.atoms = parts_.atoms_of(*parts_.domain);
    parts_.constraints->assign(parts_.atoms);
    parts_.forces->atoms_changed();
}

// What this rank has computed since the last time, waiting left out. Timers may have been set to zero in between.
void Simulation::note_work() {
    double now = 0.0;
    for (const Part part : {Part::short_range, Part::bonded, Part::update, Part::constraints})
        now += timers().seconds(part);
    parts_.domain->note_work((now < worked_ ? now : now - worked_) + device_work());
    worked_ = now;
}

// Evaluations since the last time, each as long as those that were measured.
double Simulation::device_work() {
    double work = 0.0;
    for (const gpu::Timeline* timeline : parts_.forces->timelines()) {
        const gpu::DeviceTimes& times = timeline->times();
        if (times.measured == 0) continue;
        const std::int64_t before = times.evaluations < evaluated_ ? 0 : evaluated_;
        work += times.busy / static_cast<double>(times.measured) * static_cast<double>(times.evaluations - before);
        evaluated_ = times.evaluations;
    }
    return work;
}

StepPlan Simulation::plan(Due due) const {
    const bool reports = has(due, Due::energies | Due::log | Due::row);
    StepPlan plan{.step = state_.step};
    plan.energies = reports ? Need::yes : Need::no;
    plan.virial = reports || parts_.coupling.needs_pressure(state_.step) ? Need::yes : Need::no;
    return plan;
}

void Simulation::try_volume() {
    const StepPlan plan{.step = state_.step, .energies = Need::yes};
    parts_.coupling.try_volume(state_, parts_.atoms, ranks(), [&] {
        parts_.domain->sites().place(state_.x);
        const EnergySums& energies = parts_.forces->evaluate(state_, plan).energies();
        return energies.out_of_range() ? std::numeric_limits<double>::infinity() : energies.potential();
    });
}

void Simulation::integrate(const ForceSink& forces, const StepPlan& plan) {
    Timers& timers = parts_.forces->timers();
    VelocityChange change;
    {
        const ScopedTimer timer(timers, Part::update);
        change = parts_.coupling.velocity_change(state_, parts_.atoms, ranks());
    }
    ScopedTimer timer(timers, Part::update);
    keep_located([&] {
        timer.give(Part::constraints,
                   parts_.integrator->step(state_, {.atoms = parts_.atoms,
                                                    .constraints = *parts_.constraints,
                                                    .forces = forces.forces(),
                                                    .change = change,
                                                    .temperature = parts_.coupling.temperature(state_.step),
                                                    .virial = plan.virial,
                                                    .sites = &parts_.domain->sites()}));
    });
}

// Of several ranks the one that finds something keeps it until all have come to the next place where they agree.
void Simulation::check(const ForceSink& forces) {
    keep_located([&] { parts_.watchdog.check(state_, {parts_.atoms.id, forces.forces()}, parts_.dt); });
}

// Pressure, the box move that follows from it, and what the step owes to the outputs.
void Simulation::finish_step(const ForceSink& forces, const StepPlan& plan, Due due) {
    if (plan.virial == Need::no && due == Due::nothing) return;
    parts_.domain->failure().throw_if_any();
    StepReport report;
    report.on_step = parts_.integrator->on_step(state_);
    report.ids = parts_.domain->ids();
    report.box = state_.box;
    report.forces = forces.forces();
    report.row.time = state_.time;
    report.row.step = state_.step;
    if (plan.virial == Need::yes) report_energies(forces, report);
    if (plan.energies == Need::yes) report.row.restraints = parts_.forces->restraints();
    if (plan.virial == Need::yes && parts_.coupling.needs_pressure(state_.step)) {
        parts_.coupling.plan_box_move(state_, report.row.pressure_tensor);
    }
    if (due != Due::nothing) {
        const ScopedTimer timer(parts_.forces->timers(), Part::output);
        writer_(report, due);
    }
}

void Simulation::report_energies(const ForceSink& forces, StepReport& report) {
    const KineticEnergies kinetic = kinetic_energies(parts_.atoms, report.on_step, ranks());
    EnergySums sums = forces.energies();
    sums.add(parts_.integrator->constraint_virial(ranks()));
    report.row =
        energy_row(state_, forces.energies(), kinetic, {parts_.total_mass, thermostat_work(state_.coupling, ranks())});
    report.row.temperature = temperature(
        parts_.temperature_of == TemperatureOf::on_step ? kinetic.on_step : kinetic.half_step, parts_.degrees);
    if (state_.box.periodic()) {
        report.row.pressure_tensor = pressure_tensor(kinetic.tensor, sums.virial(), state_.box.volume(), 0.0);
        report.row.pressure = mean_pressure(report.row.pressure_tensor);
    }
    together(ranks(), [&] {
        parts_.watchdog.check_temperature({parts_.atoms.id, forces.forces()}, report.row.temperature);
    });
}

}  // namespace mdsim
