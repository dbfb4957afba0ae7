// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/error.h"
#include "forces/force_set.h"
#include "integrate/constraints/constraint_set.h"
#include "integrate/integrator.h"
#include "observe/watchdog.h"
#include "run/coupling.h"
#include "run/output/step_report.h"
#include "system/state.h"

namespace mdsim {

/// Global step and time [ps] at which a stage began.
struct StageStart {
    std::int64_t step = 0;
    double time = 0.0;
};

/// The parts that a stage of dynamics is made of; run/build.cpp makes them.
struct DynamicsParts {
    Domain* domain = nullptr;                               ///< outlives the simulation
    AtomParameters atoms;                                   ///< of home atoms
    std::function<AtomParameters(const Domain&)> atoms_of;  ///< the same when others have come home
    Watchdog watchdog;
    std::unique_ptr<ForceSet> forces;
    std::unique_ptr<ConstraintSet> constraints;
    std::unique_ptr<Integrator> integrator;
    Coupling coupling;
    double dt = 0.0;          ///< [ps]
    double degrees = 0.0;     ///< of freedom
    double total_mass = 0.0;  ///< [u]
    TemperatureOf temperature_of = TemperatureOf::half_steps;
    std::string stage;  ///< its name, for messages
    StageStart start;
};

/// The error with stage, step and time in each of its messages where it is of physics that has come apart (unstable)
/// or of a device, and has none of that stage yet.
Error located(const Error& error, const std::string& stage, const State& state);

/// f(), with its errors located.
template <class F>
auto with_place(const std::string& stage, const State& state, F&& f) {
    try {
        return f();
    } catch (const Error& error) {
        throw located(error, stage, state);
    }
}

/// One stage of dynamics. docs/how_a_step_works.md goes through `advance` line by line.
class Simulation {
  public:
    /// What the step with this global number owes.
    using Schedule = std::function<Due(std::int64_t step)>;
    /// Called once for every step that owes something.
    using Writer = std::function<void(const StepReport&, Due)>;
    /// Asked after every step; true ends the run cleanly.
    using Stop = std::function<bool()>;

    Simulation(DynamicsParts parts, State state, Schedule schedule, Writer writer);

    /// Steps until state().step is `last_step` or stop() says so. Errors are located.
    void run(std::int64_t last_step, const Stop& stop);
    /// Reports the step at which the state stands, as `run` would, and leaves the state as it is.
    void report_here();

    const State& state() const { return state_; }
    Domain& domain() { return *parts_.domain; }
    const Timers& timers() { return parts_.forces->timers(); }
    ForceSet& forces() { return *parts_.forces; }

  private:
    DynamicsParts parts_;
    State state_;
    Schedule schedule_;
    Writer writer_;
    std::int64_t evaluated_ = 0;  ///< by devices, at the last repartition
    double worked_ = 0.0;         ///< time of the parts that are this rank's own work, at the last repartition [s]

    /// Whether atoms may change ranks in a step: not where the state of before is wanted back.
    enum class Migration { allowed, none };
    void advance(Migration migration);
    void advance_watched(Migration migration);
    void repartition();
    void note_work();
    double device_work();
    void try_volume();
    /// f(), whose error belongs to this step even where it is thrown in the next one.
    template <class F>
    void keep_located(F&& f) {
        parts_.domain->failure().keep([&] { with_place(parts_.stage, state_, f); });
    }
    StepPlan plan(Due due) const;
    void integrate(const ForceSink& forces, const StepPlan& plan);
    void check(const ForceSink& forces);
    void finish_step(const ForceSink& forces, const StepPlan& plan, Due due);
    void report_energies(const ForceSink& forces, StepReport& report);
    const Comm& ranks() const { return parts_.domain->comm(); }
};

}  // namespace mdsim
