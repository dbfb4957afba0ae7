// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/device_lock.h"

#include <algorithm>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

namespace mdsim {

namespace {

// In a folder for everybody somebody else may have made one of this name, or a link.
bool make_private(const std::filesystem::path& folder) {
    ::mkdir(folder.c_str(), 0700);
    struct stat found {};
    return ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
           (found.st_mode & 0077) == 0;
}

std::string file_name(std::string id) {
    std::replace_if(
        id.begin(), id.end(), [](char c) { return c == '/' || c == ':'; }, '-');
    return id + ".lock";
}

}  // namespace

DeviceLock mark_device(const std::filesystem::path& folder, const std::string& id, const LocalRank& rank) {
    const std::string text = fmt::format("{}\n{}\n", this_process(), rank.job);
    FileLock::Attempt attempt = FileLock::take(folder / file_name(id), 0600, text);
    if (attempt.outcome != FileLock::Outcome::taken) return {std::move(attempt.lock), {}, false};
    const std::size_t end = attempt.owner.find('\n');
    if (end == std::string::npos) return {{}, "a process that has only just started", false};
    const bool same_job = !rank.job.empty() && attempt.owner.substr(end + 1) == rank.job + "\n";
    return {{}, attempt.owner.substr(0, end), same_job};
}

std::optional<std::filesystem::path> runtime_folder(const Environment& environment) {
    std::vector<std::filesystem::path> folders;
    if (const char* runtime = environment("XDG_RUNTIME_DIR"); runtime != nullptr && *runtime == '/')
        folders.push_back(std::filesystem::path(runtime) / "mdsim");
    // The same folder for a login that has the variable and a batch job that lacks it.
    folders.push_back(fmt::format("/run/user/{}/mdsim", ::geteuid()));
    // Not TMPDIR, which batch systems set to another folder for each job.
    folders.push_back(std::filesystem::path(P_tmpdir) / fmt::format("mdsim-{}", ::geteuid()));
    const auto found = std::find_if(folders.begin(), folders.end(), make_private);
    if (found == folders.end()) return std::nullopt;
    return *found;
}

}  // namespace mdsim
