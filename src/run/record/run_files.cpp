// SPDX-License-Identifier: Apache-2.0
#include "run/record/run_files.h"

#include <fstream>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr std::string_view suffixes[] = {".checkpoint.previous.h5", ".checkpoint.h5", ".energies.csv", ".log", ".lock"};

RunPaths named(const std::filesystem::path& directory, const std::string& name) {
    OutputInput output;
    output.directory = directory.empty() ? "." : directory;
    output.name = name;
    return RunPaths(output);
}

bool has_log(const RunPaths& paths) {
    std::error_code none;
    return std::filesystem::is_regular_file(paths.file(".log"), none);
}

std::optional<RunPaths> of_input(const std::filesystem::path& file) {
    const OutputInput output = read_input(file, {}).output;
    const RunPaths here(output);
    if (has_log(here)) return here;
    // The command may run somewhere else than the run did: beside the input, most often.
    const RunPaths beside = named(file.parent_path() / output.directory, output.name);
    if (has_log(beside)) return beside;
    return std::nullopt;
}

// The only log in a folder that has a table of energies beside it.
std::optional<RunPaths> in_folder(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".log") continue;
        const std::string name = entry.path().stem().string();
        if (std::filesystem::exists(folder / (name + ".energies.csv"))) names.push_back(name);
    }
    if (names.size() > 1) {
        throw_input_error({.code = "MD118",
                           .place = {folder.string()},
                           .what = fmt::format("this folder has {} runs", names.size()),
                           .remedy = fmt::format("name one of them: {}", (folder / names.front()).string())});
    }
    if (names.empty()) return std::nullopt;
    return named(folder, names.front());
}

}  // namespace

std::optional<RunPaths> find_run(const std::filesystem::path& run) {
    std::error_code none;
    if (std::filesystem::is_directory(run, none)) return in_folder(run);
    if (run.extension() == ".inp") return std::filesystem::exists(run, none) ? of_input(run) : std::nullopt;
    std::string name = run.filename().string();
    if (const RunPaths paths = named(run.parent_path(), name); has_log(paths)) return paths;
    for (const std::string_view suffix : suffixes) {
        if (!name.ends_with(suffix)) continue;
        const RunPaths paths = named(run.parent_path(), name.substr(0, name.size() - suffix.size()));
        if (has_log(paths)) return paths;
    }
    return std::nullopt;
}

RunPaths require_run(const std::filesystem::path& run) {
    if (auto paths = find_run(run)) return *paths;
    throw_input_error({.code = "MD118",
                       .place = {run.string()},
                       .what = "there is no run by this name",
                       .why = fmt::format("neither {0}.log nor a folder with the log of a run is there", run.string()),
                       .remedy = "give the .inp of a run that has been begun, its folder, or the beginning of its "
                                 "files' names, such as out/protein for out/protein.log"});
}

std::optional<LastCheckpoint> last_checkpoint(const RunPaths& paths) {
    std::ifstream log(paths.file(".log"));
    std::filesystem::path file = paths.file(".inp");
    constexpr std::string_view begins = "input ";
    for (std::string line; std::getline(log, line) && !line.starts_with("system:");) {
        if (line.starts_with(begins)) file = line.substr(begins.size());
    }
    std::vector<std::string> warnings;
    try {
        const auto checkpoint = read_checkpoint(paths.checkpoint(), warnings);
        if (!checkpoint) return std::nullopt;
        LastCheckpoint last{parse_input(checkpoint->input, file), checkpoint->state.step, checkpoint->state.time,
                            false};
        last.all_done = checkpoint->stage == static_cast<std::int64_t>(last.input.stages.size());
        return last;
    } catch (const Error&) {
        return std::nullopt;
    }
}

}  // namespace mdsim
