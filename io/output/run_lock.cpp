// SPDX-License-Identifier: Apache-2.0
#include "io/output/run_lock.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"

namespace mdsim {

namespace {

using Outcome = FileLock::Outcome;

[[noreturn]] void throw_taken(const std::filesystem::path& file, const std::string& owner) {
    throw_input_error({.code = "MD608",
                       .place = {file.string()},
                       .what = fmt::format("another process works on this run: {}",
                                           owner.empty() ? "one that has only just started" : owner),
                       .why = "two processes would write the same outputs",
                       .remedy = "wait for its end or stop it (on SIGTERM it writes a checkpoint), or give this run "
                                 "another output.name or output.directory"});
}

std::string warning_of_another_host(const std::string& owner) {
    if (owner.empty() || owner.find(fmt::format(" on host {} ", host_name())) != std::string::npos) return {};
    return fmt::format(
        " was left behind by {}; if that still runs, locks of this file system do not reach other "
        "hosts: stop one of the two",
        owner);
}

std::string warning_of_no_locks(const std::string& owner, int reason) {
    return fmt::format(": this file system locks no files ({}); take care that no second process works on this run{}",
                       std::strerror(reason), owner.empty() ? "" : ". The file names " + owner);
}

}  // namespace

RunLock RunLock::take(const std::filesystem::path& file, std::vector<std::string>& warnings) {
    FileLock::Attempt attempt = FileLock::take(file, 0644, this_process() + "\n");
    const std::string owner = attempt.owner.substr(0, attempt.owner.find('\n'));
    if (attempt.outcome == Outcome::taken) throw_taken(file, owner);
    if (attempt.outcome == Outcome::not_opened) {
        errno = attempt.reason;
        if (errno != EACCES && errno != EPERM && errno != EROFS) throw_system_error(file, "creating");
        return RunLock({});
    }
    const std::string warning =
        attempt.outcome == Outcome::held ? warning_of_another_host(owner) : warning_of_no_locks(owner, attempt.reason);
    if (!warning.empty()) warnings.push_back(file.string() + warning);
    return RunLock(std::move(attempt.lock));
}

}  // namespace mdsim
