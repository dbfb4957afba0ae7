// SPDX-License-Identifier: Apache-2.0
#include "run/output/run_output.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

#include <fmt/format.h>

#include "core/error.h"
#include "integrate/thermostat.h"
#include "io/hdf5/transaction.h"
#include "io/trajectory/trajectory_file.h"
#include "run/output/result_file.h"
#include "system/fields/atom_fields.h"

namespace mdsim {

namespace {
// How long a rank's atoms may take to come after an error [s].
constexpr double patience = 2.0;

bool falls_on(const Cadence& cadence, double timestep, std::int64_t step_in_stage) {
    if (cadence.never()) return false;
    if (step_in_stage == 0) return true;
    return step_in_stage % cadence.in_steps(timestep) == 0;
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
        for (const auto& path : move_aside(all)) mend_moved(path);
        return;
    }
    for (const auto& path : all) {
        const bool of_checkpoint = path == paths.checkpoint().newest || path == paths.checkpoint().previous;
        if (existing == Existing::remove && !of_checkpoint) std::filesystem::remove_all(path, failed);
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

// Jobs know the files by their address, which stays when this object is moved.
RunOutput::RunOutput(const Setup& setup, std::unique_ptr<OutputFiles> files, Terminal terminal, const Comm& comm)
    : setup_(&setup),
      files_(std::move(files)),
      queue_(std::make_unique<OutputQueue>(comm, setup.topology.atoms())),
      log_(std::make_unique<RunLog>()) {
    if (!files_) return;
    const auto note = [files = files_.get(), queue = queue_.get()](std::string line) {
        queue->put([files, line = std::move(line)] { files->note(line); });
    };
    log_ = std::make_unique<RunLog>(files_->log_path(), note, terminal);
}

bool RunOutput::frame_due(const StageInput& stage, std::size_t entry, std::int64_t step_in_stage) const {
    const auto& entries = stage.output.trajectories;
    return entry < entries.size() && falls_on(entries[entry].every, stage.timestep, step_in_stage);
}

Due RunOutput::due(const StageInput& stage, std::int64_t step_in_stage) const {
    Due due = Due::nothing;
    if (falls_on(stage.output.energies, stage.timestep, step_in_stage)) due = due | Due::energies;
    if (falls_on(stage.output.log, stage.timestep, step_in_stage)) due = due | Due::log;
    const auto& entries = setup_->input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        if (!frame_due(stage, n, step_in_stage)) continue;
        due = due | Due::trajectory;
        const auto& formats = entries[n].formats;
        if (std::find(formats.begin(), formats.end(), TrajectoryFormat::h5md) != formats.end()) due = due | Due::row;
    }
    for (std::size_t n = 0; n < setup_->input.output.maps.size(); ++n) {
        if (map_due(setup_->input, n, stage, step_in_stage)) due = due | Due::trajectory;
    }
    return due;
}

void RunOutput::write_energies(const EnergyRow& row) {
    queue_->put([files = files_.get(), row] { files->add_energies(row); });
}

void RunOutput::write_frame(const StageInput& stage, std::int64_t step_in_stage, const StepReport& report) {
    FrameFacts facts{.row = report.row, .box = report.box};
    Fields fields = Fields::positions;
    const auto& entries = setup_->input.output.trajectories;
    for (std::size_t n = 0; n < entries.size(); ++n) {
        if (!frame_due(stage, n, step_in_stage)) continue;
        facts.entries.push_back(n);
        if (entries[n].velocities) fields = fields | Fields::velocities;
        if (entries[n].forces) fields = fields | Fields::forces;
    }
    for (std::size_t n = 0; n < setup_->input.output.maps.size(); ++n) {
        if (map_due(setup_->input, n, stage, step_in_stage)) facts.maps.push_back(n);
    }
    queue_->put(fields, {report.ids, report.on_step, report.forces},
                [files = files_.get(), facts](const AllAtoms& atoms) { files->add_frame(facts, atoms); });
}

void RunOutput::keep(std::map<std::string, std::vector<double>> numbers) {
    queue_->put([files = files_.get(), numbers = std::move(numbers)] { files->keep(numbers); });
}

void RunOutput::write_checkpoint(Checkpoint facts, const State& home, std::span<const std::int64_t> ids, Cut cut) {
    facts.state.step = home.step;
    facts.state.time = home.time;
    facts.state.box = home.box;
    facts.state.coupling = of_all_ranks(home.coupling, queue_->ranks());
    const auto asked = std::chrono::steady_clock::now();
    queue_->put(Fields::positions, {ids, {home.x, {}, {}}, {}, fields_beside_positions(home)},
                [files = files_.get(), facts = std::move(facts), cut, asked](const AllAtoms& atoms) {
                    files->write_checkpoint(facts, atoms, cut, asked);
                });
}

void RunOutput::finish() {
    queue_->put([files = files_.get()] { files->sync(); });
    queue_->drain();
}

// The last checkpoint was written before all this, so that a continuation cuts it off again.
void RunOutput::note_failure(const ProgramEnd& end) {
    const bool of_disk = end.exit == ExitCode::io_error;
    try {
        queue_->drain_within(of_disk ? 0.0 : patience);
        log_->note(end.text);
        log_->note("stopped");
        queue_->put([files = files_.get()] { files->note(files->checkpoint_line()); });
        // The last energies and frames show what went wrong. A file that could not be written may have half a frame.
        if (!of_disk) queue_->put([files = files_.get()] { files->sync(); });
        queue_->drain_within(0.0);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): a full disk takes no last words
    }
}

}  // namespace mdsim
