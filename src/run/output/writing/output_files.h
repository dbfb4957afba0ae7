// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/tables/energies_csv.h"
#include "io/trajectory/trajectory_writer.h"
#include "run/maps/run_maps.h"
#include "run/output/writing/atom_gather.h"
#include "run/output/writing/run_paths.h"
#include "run/setup.h"

namespace mdsim {

/// Which frame, and to which trajectories it goes.
struct FrameFacts {
    std::vector<std::size_t> entries;  ///< into OutputInput::trajectories
    std::vector<std::size_t> maps;     ///< into OutputInput::maps
    EnergyRow row;                     ///< energies where a format keeps them with frames
    Box box;
};

/// Where a checkpoint lets a continuation cut the outputs: as they are when it is written, or as the one before it did.
enum class Cut { here, as_before };

/// The files of a run, on the leading rank. Once the run goes they belong to the writer thread, which alone uses HDF5
/// then (its libraries are built for one thread at a time). Every failure is an Error that names the file.
class OutputFiles {
  public:
    /// Fresh files, or (checkpoint not null) those of a checkpoint, cut back to it. The setup must outlive this.
    OutputFiles(const Setup& setup, const Checkpoint* checkpoint);

    /// A line of NAME.log, which reaches the system at once.
    void note(std::string_view line);
    void add_energies(const EnergyRow& row);
    void add_frame(const FrameFacts& facts, const AllAtoms& atoms);
    /// Part of all checkpoints from here on: what a stage keeps from its start.
    void keep(std::map<std::string, std::vector<double>> numbers) { kept_ = std::move(numbers); }
    /// Brings all outputs to the disk, then the checkpoint: `checkpoint` with these atoms, what is kept, and where the
    /// outputs are cut. asked: when the loop asked for it.
    void write_checkpoint(Checkpoint checkpoint, const AllAtoms& atoms, Cut cut,
                          std::chrono::steady_clock::time_point asked);
    /// Brings everything to the disk and says where each file stands.
    std::vector<OutputMark> sync();

    const std::filesystem::path& log_path() const { return log_->path(); }
    /// state_line of the state that a continuation would start from.
    const std::string& checkpoint_line() const { return checkpoint_line_; }
    /// The longest that a checkpoint has taken from the call to the disk [s]; for any thread.
    double checkpoint_seconds() const { return checkpoint_seconds_; }

  private:
    struct Trajectory {
        std::size_t entry;  // into OutputInput::trajectories
        std::vector<std::int64_t> atoms;
        std::unique_ptr<const Topology> shown;  // of these atoms; the writers refer to it
        std::vector<std::unique_ptr<TrajectoryWriter>> writers;
    };
    const Setup& setup_;
    std::unique_ptr<AppendFile> log_, energies_;
    std::vector<RestraintColumn> restraints_;  // at the end of the table of energies
    std::vector<Trajectory> trajectories_;
    std::map<std::string, std::vector<double>> kept_;
    RunMaps maps_;
    std::vector<OutputMark> marks_;                           // of the last checkpoint
    std::map<std::string, std::vector<double>> map_numbers_;  // of that
    std::string checkpoint_line_;
    std::atomic<double> checkpoint_seconds_{0.0};

    void append(const Trajectory& trajectory, const FrameFacts& facts, const AllAtoms& atoms);
    template <class F>
    void for_each_writer(F&& f);
};

/// Names and bonds of the atoms of each trajectory, for viewers: NAME.pdb and NAME.psf.
void write_viewer_topologies(const Setup& setup);

}  // namespace mdsim
