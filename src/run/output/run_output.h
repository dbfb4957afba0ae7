// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/program_end.h"
#include "io/checkpoint/checkpoint.h"
#include "parallel/comm.h"
#include "run/output/run_log.h"
#include "run/output/step_report.h"
#include "run/output/writing/output_files.h"
#include "run/output/writing/output_queue.h"
#include "run/setup.h"

namespace mdsim {

/// All files that a run writes: log, energies, trajectories with the topology for viewers, checkpoints. One of each,
/// whatever the number of ranks.
///
/// Calls copy what is to be written and return; a thread of the leading rank writes (OutputQueue: order, bounds,
/// errors). Calls that take atoms, and poll, finish and note_failure, are made by all ranks; the others do nothing on
/// ranks that do not lead.
class RunOutput {
  public:
    /// Throws MD609 where a file that the run would write is one that it reads.
    static void require_apart_from_inputs(const Setup& setup);
    /// The directory of the outputs, if it is not there; exit code 74 where nothing can be written into it.
    static void make_directory(const Setup& setup);
    /// What becomes of files that are there already: an error, kept under another name, or removed because no
    /// checkpoint has promised any of them.
    enum class Existing { refuse, move_aside, remove };
    static void make_room(const Setup& setup, Existing existing);
    /// files: null on ranks that do not lead. Made by all ranks.
    RunOutput(const Setup& setup, std::unique_ptr<OutputFiles> files, Terminal terminal, const Comm& comm);

    RunLog& log() { return *log_; }
    /// What a step owes, by the cadences of a stage. Steps count from the start of the stage.
    Due due(const StageInput& stage, std::int64_t step_in_stage) const;
    void write_energies(const EnergyRow& row);
    /// The frame of a step to those trajectories whose turn it is.
    void write_frame(const StageInput& stage, std::int64_t step_in_stage, const StepReport& report);

    /// Part of all checkpoints from here on, by name: what a stage keeps from its start, such as restraint references.
    void keep(std::map<std::string, std::vector<double>> numbers);
    /// `facts` is the checkpoint but for atoms, outputs and what is kept; `home` has the atoms, ids their global
    /// numbers (empty on one rank). What was written before this call belongs to it, what is written later does not.
    void write_checkpoint(Checkpoint facts, const State& home, std::span<const std::int64_t> ids, Cut cut = Cut::here);
    /// The longest that a checkpoint has taken so far, from the call until it was on the disk [s].
    double checkpoint_seconds() const { return files_ ? files_->checkpoint_seconds() : 0.0; }

    /// Once a step: lets messages go on, and throws what went wrong while writing.
    void poll() { queue_->poll(); }
    /// Brings everything to the disk.
    void finish();
    /// The same after an error: notes it, and the state that a continuation would start from, as the log's last words.
    /// Where the error is of the disk nothing else is written any more. Atoms that other ranks do not send, since the
    /// error is not theirs, are waited for only shortly.
    void note_failure(const ProgramEnd& end);

    /// The last step whose energies and frames are written, so that the border between two stages, or the end of a run
    /// that is continued later, is not written twice.
    std::int64_t last_written() const { return last_written_; }
    void set_last_written(std::int64_t step) { last_written_ = step; }

  private:
    const Setup* setup_;
    std::unique_ptr<OutputFiles> files_;  // null on ranks that do not lead
    std::unique_ptr<OutputQueue> queue_;
    std::unique_ptr<RunLog> log_;
    std::int64_t last_written_ = -1;

    bool frame_due(const StageInput& stage, std::size_t entry, std::int64_t step_in_stage) const;
};

}  // namespace mdsim
