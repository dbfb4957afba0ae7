// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "core/error.h"
#include "domain/domain.h"
#include "run/build.h"
#include "run/cluster/progress_watch.h"
#include "run/cluster/stop_clock.h"
#include "run/output/run_output.h"
#include "run/setup.h"

namespace mdsim {

class Minimiser;

/// The stages of an input, one after the other, with outputs and checkpoints, from the start or from a checkpoint. Each
/// rank has one; what they do they do together.
class Protocol {
  public:
    Protocol(const Setup& setup, RunOutput output);

    /// From the start, or from a checkpoint, which must fit the input. The leading rank has both.
    void begin(State start, std::optional<Checkpoint> from);
    /// Runs what is left. finished, or stopped where a signal, the end of the batch job or debug.stop_at_step asked for
    /// it. What ends the run otherwise is noted in the log, with the state that a continuation starts from, and
    /// thrown.
    ExitCode run();
    /// Whether a run that had done all its stages was killed before its minimum was written (write_minimum).
    static bool owes_minimum(const Checkpoint& checkpoint);
    /// Of a run that ends in a minimisation and is at its end: the lowest point, one line of energies and one frame.
    void write_minimum();

  private:
    using Clock = std::chrono::steady_clock;
    const Setup& setup_;
    RunOutput output_;
    std::unique_ptr<Domain> domain_;
    State state_;  ///< of home atoms
    std::size_t stage_ = 0;
    StageStart start_;
    bool stage_begun_ = false;          ///< false: the stage's own preparation is still due
    std::int64_t minimiser_steps_ = 0;  ///< done in this stage, as of the last checkpoint
    RestraintReferences references_;
    Clock::time_point last_checkpoint_;
    std::int64_t last_checkpoint_step_ = 0;
    bool mesh_ranks_settled_ = false;
    StopClock stop_clock_;
    std::string stop_reason_;  ///< for the log
    ProgressWatch watch_;
    bool stood_still_ = false;  ///< a minimisation asks more than once in a step

    const StageInput& stage() const { return setup_.input.stages[stage_]; }
    void heed_job_end();
    const Comm& ranks() const { return domain_->comm(); }
    void resume(Checkpoint checkpoint);
    void share_progress();
    void attach_references();
    bool agreed(Agreement::Topic topic, bool wish);
    /// When one rank stands still, no other waits for a message of it any more.
    void stand_still_if_asked(std::int64_t step);
    bool stop_asked(std::int64_t step);
    ExitCode run_stages();
    void begin_stage();
    bool run_minimisation();
    void separate_atoms(const Minimiser& minimiser);
    bool run_dynamics();
    void settle_mesh_ranks(DynamicsParts& parts);
    void prepare_velocities(const StageInput& stage, const DynamicsParts& parts);
    void checkpoint_if_due(const State& state);
    void checkpoint(const State& state);
    Checkpoint checkpoint_facts() const;
    std::string state_line() const;
    void log_energies(const EnergyRow& row, double ms_per_step);
    std::string progress_text(std::int64_t step, double ms_per_step) const;
    void end_log(ExitCode exit);
};

}  // namespace mdsim
