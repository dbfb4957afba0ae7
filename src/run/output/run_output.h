// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/trajectory/trajectory_writer.h"
#include "run/output/run_log.h"
#include "run/output/step_report.h"
#include "run/setup.h"

namespace mdsim {

/// All files that a run writes, the checkpoint apart: log, energies, trajectories and the topology for viewers.
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
    /// Fresh files, for which there is room.
    static RunOutput create(const Setup& setup, Terminal terminal);
    /// The files of a checkpoint, cut back to it.
    static RunOutput reopen(const Setup& setup, const Checkpoint& checkpoint, Terminal terminal);

    RunLog& log() { return *log_; }
    /// What a step owes, by the cadences of a stage. Steps count from the start of the stage.
    Due due(const StageInput& stage, std::int64_t step_in_stage) const;
    void write_energies(const EnergyRow& row);
    /// The frame of a step to those trajectories whose turn it is.
    void write_frame(const StageInput& stage, std::int64_t step_in_stage, const StepReport& report);
    /// Brings everything to the disk and says where each file stands.
    std::vector<OutputMark> sync();
    /// The last step whose energies and frames are written, so that the border between two stages, or the end of a run
    /// that is continued later, is not written twice.
    std::int64_t last_written() const { return last_written_; }
    void set_last_written(std::int64_t step) { last_written_ = step; }

  private:
    struct Trajectory {
        std::size_t entry;  // into OutputInput::trajectories
        std::vector<std::int64_t> atoms;
        std::unique_ptr<TrajectoryWriter> writer;
    };
    std::unique_ptr<RunLog> log_;
    std::unique_ptr<AppendFile> energies_;
    std::vector<Trajectory> trajectories_;
    const Setup* setup_ = nullptr;
    std::int64_t last_written_ = -1;

    RunOutput() = default;
    static RunOutput open(const Setup& setup, const Checkpoint* checkpoint, Terminal terminal);
    bool frame_due(const StageInput& stage, std::size_t entry, std::int64_t step_in_stage) const;
};

/// The first trajectory has a topology for viewers beside it, and each other one that selects other atoms.
bool has_own_topology(const OutputInput& output, std::size_t entry);

/// Names of all files of a run, for moving aside and for messages.
struct RunPaths {
    std::filesystem::path directory;
    std::string name;
    explicit RunPaths(const OutputInput& output) : directory(output.directory), name(output.name) {}

    std::filesystem::path file(const std::string& suffix) const { return directory / (name + suffix); }
    CheckpointPaths checkpoint() const { return {directory, name}; }
    std::filesystem::path lock() const { return file(".lock"); }
    /// Of a trajectory by its place in the input: NAME.h5, NAME.2.h5, ...
    std::filesystem::path of_entry(std::size_t entry, const std::string& suffix) const;
    std::filesystem::path trajectory(std::size_t entry, TrajectoryFormat format) const;
    std::vector<std::filesystem::path> all(const OutputInput& output) const;
};

}  // namespace mdsim
