// SPDX-License-Identifier: Apache-2.0
#include "run/output/run_output.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "io/hdf5/transaction.h"
#include "io/topology/pdb_writer.h"
#include "io/topology/psf_writer.h"
#include "io/trajectory/h5md.h"
#include "io/trajectory/xtc_writer.h"
#include "run/build.h"
#include "run/output/result_file.h"
#include "run/output/trajectory_view.h"
#include "system/preparation/subset.h"

namespace mdsim {

namespace {

const char* suffix_of(TrajectoryFormat format) {
    return format == TrajectoryFormat::h5md ? ".h5" : ".xtc";
}

std::vector<std::int64_t> atoms_of(const Setup& setup, const TrajectoryInput& entry) {
    std::vector<std::int64_t> atoms;
    for (const AtomId atom : select_atoms(setup, entry.select, "output.trajectory.select")) {
        atoms.push_back(static_cast<std::int64_t>(atom));
    }
    return atoms;
}

/// Opens files either fresh or as a checkpoint left them.
class Opener {
  public:
    Opener(const RunPaths& paths, const Checkpoint* checkpoint) : paths_(paths), checkpoint_(checkpoint) {}

    AppendFile append(const std::filesystem::path& path) const {
        return checkpoint_ == nullptr ? AppendFile::create(path) : AppendFile::reopen(path, mark(path));
    }
    std::unique_ptr<TrajectoryWriter> trajectory(const std::filesystem::path& path, TrajectoryFormat format,
                                                 const TrajectoryInput& entry, H5mdAtoms atoms) const {
        if (format == TrajectoryFormat::xtc) return std::make_unique<XtcWriter>(append(path), 1.0 / entry.precision);
        H5mdWriter::Content content{std::move(atoms), entry.velocities ? WithVelocities::yes : WithVelocities::no,
                                    entry.forces ? WithForces::yes : WithForces::no};
        if (checkpoint_ == nullptr) return std::make_unique<H5mdWriter>(H5mdWriter::create(path, std::move(content)));
        return std::make_unique<H5mdWriter>(H5mdWriter::reopen(path, std::move(content), mark(path)));
    }
    const RunPaths& paths() const { return paths_; }

  private:
    const RunPaths& paths_;
    const Checkpoint* checkpoint_;

    OutputMark mark(const std::filesystem::path& path) const {
        for (const OutputMark& mark : checkpoint_->outputs) {
            if (mark.path == path.filename().string()) return mark;
        }
        throw_io_error({.code = "MD606",
                        .place = {path.string()},
                        .what = "this output is not in the checkpoint",
                        .why = "the run was begun without it",
                        .remedy = "take it out of [output], or start over with --restart"});
    }
};

}  // namespace

std::filesystem::path RunPaths::of_entry(std::size_t entry, const std::string& suffix) const {
    return file((entry == 0 ? std::string() : fmt::format(".{}", entry + 1)) + suffix);
}

std::filesystem::path RunPaths::trajectory(std::size_t entry, TrajectoryFormat format) const {
    return of_entry(entry, suffix_of(format));
}

bool has_own_topology(const OutputInput& output, std::size_t entry) {
    return entry == 0 || output.trajectories[entry].select != output.trajectories[0].select;
}

std::vector<std::filesystem::path> RunPaths::all(const OutputInput& output) const {
    std::vector<std::filesystem::path> paths{file(".log"), file(".energies.csv"), checkpoint().newest,
                                             checkpoint().previous};
    for (std::size_t n = 0; n < output.trajectories.size(); ++n) {
        for (const TrajectoryFormat format : output.trajectories[n].formats) paths.push_back(trajectory(n, format));
        if (!has_own_topology(output, n)) continue;
        paths.push_back(of_entry(n, ".pdb"));
        paths.push_back(of_entry(n, ".psf"));
    }
    return paths;
}

namespace {

// Names and bonds of the atoms of each trajectory, for viewers.
void write_viewer_topologies(const Setup& setup, const RunPaths& paths) {
    const auto& entries = setup.input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        if (!has_own_topology(setup.input.output, n)) continue;
        const std::vector<std::int64_t> atoms = atoms_of(setup, entries[n]);
        const Topology shown = subset(setup.topology, atoms);
        std::vector<Vec3d> x;
        for (const std::int64_t atom : atoms) x.push_back(setup.start.x[static_cast<std::size_t>(atom)]);
        write_pdb_topology(paths.of_entry(n, ".pdb"), shown, x, setup.start.box);
        write_psf(paths.of_entry(n, ".psf"), shown);
    }
}

}  // namespace

void RunOutput::require_apart_from_inputs(const Setup& setup) {
    const OutputInput& output = setup.input.output;
    const std::string remedy =
        fmt::format("set output.name = \"{}-run\", or output.directory to another folder", output.name);
    Problems problems;
    for (const auto& path : RunPaths(output).all(output)) add_inputs_at(path, setup.input, remedy, problems);
    problems.throw_if_any();
}

void RunOutput::make_directory(const Setup& setup) {
    const std::filesystem::path& directory = setup.input.output.directory;
    std::error_code failed;
    std::filesystem::create_directories(directory, failed);
    if (!failed && ::access(directory.c_str(), W_OK) == 0) return;
    if (failed) errno = failed.value();
    throw_system_error(directory, "writing into the directory");
}

void RunOutput::make_room(const Setup& setup, Existing existing) {
    const RunPaths paths(setup.input.output);
    std::error_code failed;
    const std::vector<std::filesystem::path> all = paths.all(setup.input.output);
    if (existing == Existing::move_aside) {
        // A file whose change was interrupted is completed by the log beside it, which is not kept.
        for (const auto& path : all) h5::recover(path);
        move_aside(all);
        return;
    }
    for (const auto& path : all) {
        const bool of_checkpoint = path == paths.checkpoint().newest || path == paths.checkpoint().previous;
        if (existing == Existing::remove && !of_checkpoint) std::filesystem::remove(path, failed);
        if (existing == Existing::remove || !std::filesystem::exists(path)) continue;
        throw_io_error({.code = "MD607",
                        .place = {path.string()},
                        .what = "this file exists, and no checkpoint belongs to it",
                        .why = "mdsim overwrites nothing silently",
                        .remedy =
                            "start with --restart (existing files are kept aside), or choose another output.name or "
                            "output.directory"});
    }
}

RunOutput RunOutput::open(const Setup& setup, const Checkpoint* checkpoint, Terminal terminal) {
    const RunPaths paths(setup.input.output);
    const Opener opener(paths, checkpoint);
    RunOutput output;
    output.setup_ = &setup;
    output.log_ = std::make_unique<RunLog>(opener.append(paths.file(".log")), terminal);
    output.energies_ = std::make_unique<AppendFile>(opener.append(paths.file(".energies.csv")));
    if (checkpoint == nullptr) output.energies_->append(energies_csv_header() + "\n");
    const auto& entries = setup.input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        const std::vector<std::int64_t> atoms = atoms_of(setup, entries[n]);
        for (const TrajectoryFormat format : entries[n].formats) {
            auto writer =
                opener.trajectory(paths.trajectory(n, format), format, entries[n], h5md_atoms(setup.topology, atoms));
            output.trajectories_.push_back({n, atoms, std::move(writer)});
        }
    }
    return output;
}

RunOutput RunOutput::create(const Setup& setup, Terminal terminal) {
    write_viewer_topologies(setup, RunPaths(setup.input.output));
    return open(setup, nullptr, terminal);
}

RunOutput RunOutput::reopen(const Setup& setup, const Checkpoint& checkpoint, Terminal terminal) {
    return open(setup, &checkpoint, terminal);
}

namespace {
bool falls_on(const Cadence& cadence, double timestep, std::int64_t step_in_stage) {
    if (cadence.never()) return false;
    if (step_in_stage == 0) return true;
    return step_in_stage % cadence.in_steps(timestep) == 0;
}
}  // namespace

bool RunOutput::frame_due(const StageInput& stage, std::size_t entry, std::int64_t step_in_stage) const {
    const auto& entries = stage.output.trajectories;
    return entry < entries.size() && falls_on(entries[entry].every, stage.timestep, step_in_stage);
}

Due RunOutput::due(const StageInput& stage, std::int64_t step_in_stage) const {
    Due due = Due::nothing;
    if (falls_on(stage.output.energies, stage.timestep, step_in_stage)) due = due | Due::energies;
    if (falls_on(stage.output.log, stage.timestep, step_in_stage)) due = due | Due::log;
    const bool frame = std::any_of(trajectories_.begin(), trajectories_.end(),
                                   [&](const Trajectory& t) { return frame_due(stage, t.entry, step_in_stage); });
    return frame ? due | Due::trajectory : due;
}

void RunOutput::write_energies(const EnergyRow& row) {
    energies_->append(energies_csv_line(row) + "\n");
}

void RunOutput::write_frame(const StageInput& stage, std::int64_t step_in_stage, const StepReport& report) {
    for (Trajectory& trajectory : trajectories_) {
        if (!frame_due(stage, trajectory.entry, step_in_stage)) continue;
        const TrajectoryInput& entry = setup_->input.output.trajectories[trajectory.entry];
        const auto shown = shown_positions(setup_->topology, report.box, report.on_step.x,
                                           entry.whole ? Molecules::whole : Molecules::wrapped);
        std::vector<Vec3d> x, v, f;
        for (const std::int64_t atom : trajectory.atoms) {
            const auto i = static_cast<std::size_t>(atom);
            x.push_back(shown[i]);
            if (entry.velocities) v.push_back(report.on_step.v(i));
            if (!entry.forces) continue;
            const Vec3l& units = report.forces[i];
            f.push_back(
                Vec3d{static_cast<double>(units.x), static_cast<double>(units.y), static_cast<double>(units.z)} *
                (1.0 / fixed::force_scale));
        }
        trajectory.writer->append({report.row.step, report.row.time, report.box, x, v, f});
    }
}

std::vector<OutputMark> RunOutput::sync() {
    std::vector<OutputMark> marks{log_->sync(), energies_->sync()};
    for (Trajectory& trajectory : trajectories_) marks.push_back(trajectory.writer->sync());
    return marks;
}

}  // namespace mdsim
