// SPDX-License-Identifier: Apache-2.0
#include "run/record/run_state.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>

#include "io/output/file_lock.h"
#include "io/tables/energies_reader.h"

namespace mdsim {

namespace {

using FileTime = std::filesystem::file_time_type;

constexpr double patience = 16.0;  // [s], as RunLock has it: it gives a sign every 5 s

double seconds_since(FileTime time) {
    return std::chrono::duration<double>(FileTime::clock::now() - time).count();
}

std::optional<FileTime> time_of(const std::filesystem::path& path) {
    std::error_code failed;
    const FileTime time = std::filesystem::last_write_time(path, failed);
    return failed ? std::nullopt : std::optional(time);
}

// "process 4711 on host node7 since ...": whether this host has no such process.
bool is_gone(const std::string& owner) {
    constexpr std::string_view begins = "process ";
    if (!owner.starts_with(begins) || owner.find(" on host " + host_name() + " ") == std::string::npos) return false;
    const pid_t process = std::atoi(owner.c_str() + begins.size());
    return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH;
}

std::vector<PlannedStage> plan_of(const Input& input) {
    std::vector<PlannedStage> plan;
    for (const StageInput& stage : input.stages) {
        const bool dynamics = stage.kind == StageKind::dynamics;
        plan.push_back({stage.name, dynamics, dynamics ? stage.steps : stage.max_steps, stage.timestep});
    }
    return plan;
}

// From what the log foretold of the time left, which has whole seconds: the longest one after the stage's first line
// (where nothing was known) says most.
double speed_of(const StageRecord& stage, std::int64_t last_step) {
    if (stage.ms_per_step > 0.0) return stage.ms_per_step;
    const LogPoint* best = nullptr;
    for (std::size_t n = 1; n < stage.points.size(); ++n) {
        if (best == nullptr || stage.points[n].left > best->left) best = &stage.points[n];
    }
    if (best == nullptr || best->left <= 0.0 || best->step >= last_step) return 0.0;
    return 1e3 * best->left / static_cast<double>(last_step - best->step);
}

void take_later(RunState& state, std::int64_t step, double time) {
    if (step <= state.step) return;
    state.step = step;
    state.time = time;
}

// The last one that any of the files knows of.
void find_step(const RunPaths& paths, const std::optional<LastCheckpoint>& checkpoint, RunState& state) {
    for (const StageRecord& stage : state.record.stages) {
        if (!stage.points.empty()) take_later(state, stage.points.back().step, stage.points.back().time);
    }
    std::error_code none;
    if (std::filesystem::exists(paths.file(".energies.csv"), none)) {
        const auto rows = read_energies(paths.file(".energies.csv"), {"step", "time"}, 8192);
        if (!rows[0].empty() && !rows[1].empty())
            take_later(state, static_cast<std::int64_t>(rows[0].back()), rows[1].back());
    }
    if (checkpoint) take_later(state, checkpoint->step, checkpoint->time);
}

void find_stage(RunState& state) {
    if (state.record.stages.empty()) return;
    const StageRecord& stage = state.record.stages.back();
    state.stage = stage.number;
    if (!stage.iterations.empty() && !stage.ended) state.iteration = stage.iterations.back();
    const std::size_t before = std::min(state.plan.size(), static_cast<std::size_t>(std::max(stage.number - 1, 0)));
    for (std::size_t n = 0; n < before; ++n) {
        if (state.plan[n].dynamics) state.stage_start += state.plan[n].steps;
    }
    const PlannedStage* planned = state.planned();
    if (planned != nullptr && planned->dynamics)
        state.ms_per_step = speed_of(stage, state.stage_start + planned->steps);
    for (auto s = state.record.stages.rbegin(); s != state.record.stages.rend() && state.ms_per_step == 0.0; ++s)
        state.ms_per_step = s->ms_per_step;
}

}  // namespace

const char* name_of(RunStatus status) {
    switch (status) {
        case RunStatus::running:
            return "running";
        case RunStatus::finished:
            return "finished";
        case RunStatus::stopped:
            return "stopped";
        case RunStatus::failed:
            return "failed";
        case RunStatus::interrupted:
            break;
    }
    return "interrupted";
}

double RunState::ns_per_day() const {
    const PlannedStage* stage = planned();
    if (stage == nullptr || ms_per_step <= 0.0) return 0.0;
    double timestep = stage->timestep;
    for (const PlannedStage& other : plan) {
        if (timestep == 0.0) timestep = other.timestep;
    }
    return 86400.0 * timestep / ms_per_step;
}

double RunState::stage_seconds_left() const {
    const PlannedStage* stage = planned();
    if (stage == nullptr || !stage->dynamics) return 0.0;
    return 1e-3 * ms_per_step * static_cast<double>(std::max<std::int64_t>(0, stage_start + stage->steps - step));
}

double RunState::seconds_left() const {
    double left = stage_seconds_left();
    for (std::size_t n = static_cast<std::size_t>(std::max(stage, 0)); n < plan.size(); ++n) {
        if (plan[n].dynamics) left += 1e-3 * ms_per_step * static_cast<double>(plan[n].steps);
    }
    return left;
}

void RunObserver::look_at_checkpoint(RunState& state) {
    const auto time = time_of(paths_.checkpoint().newest);
    if (time != checkpoint_time_) {
        checkpoint_ = last_checkpoint(paths_);
        checkpoint_time_ = time;
    }
    if (time) state.checkpoint_age = seconds_since(*time);
    if (!checkpoint_) return;
    state.checkpoint_step = checkpoint_->step;
    state.plan = plan_of(checkpoint_->input);
}

void RunObserver::look_at_lock(RunState& state) const {
    std::ifstream lock(paths_.lock());
    const auto time = time_of(paths_.lock());
    if (!lock || !time) return;
    std::getline(lock, state.owner);
    state.silent = seconds_since(*time);
    if (state.silent < patience && !is_gone(state.owner)) state.status = RunStatus::running;
}

RunState RunObserver::look() {
    RunState state;
    state.record = read_run_log(paths_.file(".log"));
    state.plan = state.record.plan;
    look_at_checkpoint(state);
    find_step(paths_, checkpoint_, state);
    find_stage(state);
    if (state.record.end == LogEnd::finished) state.status = RunStatus::finished;
    if (state.record.end == LogEnd::stopped)
        state.status = state.record.error.empty() ? RunStatus::stopped : RunStatus::failed;
    look_at_lock(state);
    return state;
}

}  // namespace mdsim
