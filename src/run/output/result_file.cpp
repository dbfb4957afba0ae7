// SPDX-License-Identifier: Apache-2.0
#include "run/output/result_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "io/output/append_file.h"

namespace mdsim {

namespace {

/// A file that the run reads, and what it is.
struct InputFile {
    std::filesystem::path path;
    std::string role;
};

std::vector<InputFile> input_files(const Input& input) {
    std::vector<InputFile> files{{input.file, "the input file"},
                                 {input.system.topology, "system.topology"},
                                 {input.system.coordinates, "system.coordinates"}};
    for (const StageInput& stage : input.stages) {
        for (const RestraintInput& restraint : stage.restraints) {
            if (restraint.to != RestraintReference::file) continue;
            files.push_back({restraint.file, fmt::format("the reference of a restraint in stage {}", stage.name)});
        }
    }
    return files;
}

std::filesystem::path folder_of(const std::filesystem::path& path) {
    return path.has_parent_path() ? path.parent_path() : ".";
}

// "/dev/stdout" is a link to "/proc/self/fd/1", that one to wherever standard output goes.
bool is_descriptor(const std::filesystem::path& path) {
    std::error_code none;
    if (!std::filesystem::is_symlink(path, none)) return false;
    const std::string folder = std::filesystem::canonical(folder_of(path), none).string();
    return folder == "/dev" || folder.starts_with("/proc");
}

// What must not be moved aside. A folder is neither.
bool is_device_or_pipe(const std::filesystem::path& path) {
    std::error_code none;
    if (!std::filesystem::exists(path, none) || std::filesystem::is_directory(path, none)) return false;
    return !std::filesystem::is_regular_file(path, none) || is_descriptor(path);
}

// 0, or the reason (errno) why the file cannot be written. A file that is there is renamed, which its folder allows.
int reason_against(const std::filesystem::path& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) return EISDIR;
    const std::filesystem::path folder = folder_of(path) / "";  // no file
    return ::access(is_device_or_pipe(path) ? path.c_str() : folder.c_str(), W_OK) == 0 ? 0 : errno;
}

}  // namespace

void add_inputs_at(const std::filesystem::path& path, const Input& input, const std::string& remedy,
                   Problems& problems) {
    for (const InputFile& read : input_files(input)) {
        std::error_code none;  // where there is no output yet
        if (!std::filesystem::equivalent(path, read.path, none)) continue;
        problems.add({.code = "MD609",
                      .place = {path.string()},
                      .what = fmt::format("this file is {}, and an output would have its name", read.role),
                      .why = "mdsim neither overwrites nor moves what it reads",
                      .remedy = remedy});
    }
}

ResultFile::ResultFile(std::filesystem::path path, const std::string& option, const Input& input)
    : path_(std::move(path)) {
    Problems problems;
    add_inputs_at(path_, input, fmt::format("give {} another name", option), problems);
    problems.throw_if_any();
    const int reason = reason_against(path_);
    if (reason == 0) return;
    throw_io_error({.code = "MD601",
                    .place = {path_.string()},
                    .what = fmt::format("{} cannot be written here: {}", option, std::strerror(reason)),
                    .remedy = fmt::format("give {} a name in a folder that exists and may be written to", option)});
}

void ResultFile::write(std::string_view bytes) const {
    if (is_device_or_pipe(path_)) {
        std::fflush(stdout);  // which may be the same
        AppendFile device = AppendFile::open_device(path_);
        device.append(bytes);
        device.sync();
        return;
    }
    for (const auto& moved : move_aside({path_}))
        fmt::print(stderr, "{} existed and is now {}\n", path_.string(), moved.string());
    write_atomically(path_, bytes);
}

}  // namespace mdsim
