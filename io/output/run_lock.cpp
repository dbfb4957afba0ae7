// SPDX-License-Identifier: Apache-2.0
#include "io/output/run_lock.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"

namespace mdsim {

namespace {

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

// "process 4711 on host node7 since 2026-01-31T12:00:00Z, Slurm job 99"
std::string this_process() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> since{};
    std::tm utc{};
    std::strftime(since.data(), since.size(), "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &utc));
    std::string text = fmt::format("process {} on host {} since {}", ::getpid(), host_name(), since.data());
    if (const char* job = std::getenv("SLURM_JOB_ID")) text += fmt::format(", Slurm job {}", job);
    return text;
}

std::string text_of(int descriptor) {
    std::array<char, 512> bytes{};
    const ssize_t n = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    const std::string_view text(bytes.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
    return std::string(text.substr(0, text.find('\n')));
}

// A disk that is full takes no text; the lock holds all the same.
void write_text(int descriptor) {
    const std::string text = this_process() + "\n";
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
}

[[noreturn]] void throw_taken(const std::filesystem::path& file, const std::string& owner) {
    throw_input_error({.code = "MD608",
                       .place = {file.string()},
                       .what = fmt::format("another process works on this run: {}",
                                           owner.empty() ? "one that has only just started" : owner),
                       .why = "two processes would write the same outputs",
                       .remedy = "wait for its end or stop it (on SIGTERM it writes a checkpoint), or give this run "
                                 "another output.name or output.directory"});
}

bool may_not_write() {
    return errno == EACCES || errno == EPERM || errno == EROFS;
}

// The file may be somebody else's who lets us read it: that is enough to see whether it is locked.
int open_lock(const std::filesystem::path& file) {
    int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (descriptor >= 0 || !may_not_write()) return descriptor;
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) errno = EACCES;
    return descriptor;
}

enum class Outcome { held, taken, impossible };

Outcome lock(int descriptor) {
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return Outcome::taken;
        if (errno != EINTR) return Outcome::impossible;
    }
    return Outcome::held;
}

// An owner that ends takes the file away: what is locked then is a file that nobody else will find.
bool is_still_there(int descriptor, const std::filesystem::path& file) {
    struct stat mine {};
    struct stat there {};
    return ::fstat(descriptor, &mine) == 0 && ::stat(file.c_str(), &there) == 0 && mine.st_ino == there.st_ino &&
           mine.st_dev == there.st_dev;
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
    for (;;) {
        RunLock held(file, open_lock(file));
        if (held.descriptor_ < 0 && may_not_write()) return held;
        if (held.descriptor_ < 0) throw_system_error(file, "creating");
        const std::string before = text_of(held.descriptor_);
        const Outcome outcome = lock(held.descriptor_);
        const int reason = errno;
        if (outcome != Outcome::taken && is_still_there(held.descriptor_, file)) {
            const std::string warning =
                outcome == Outcome::held ? warning_of_another_host(before) : warning_of_no_locks(before, reason);
            if (!warning.empty()) warnings.push_back(file.string() + warning);
            write_text(held.descriptor_);
            return held;
        }
        ::close(std::exchange(held.descriptor_, -1));
        if (outcome == Outcome::taken) throw_taken(file, before);
    }
}

RunLock::RunLock(RunLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

// First the name, then the lock: the other way round the name could be another owner's by then.
RunLock::~RunLock() {
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());
    ::close(descriptor_);
}

}  // namespace mdsim
