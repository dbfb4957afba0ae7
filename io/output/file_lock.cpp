// SPDX-License-Identifier: Apache-2.0
#include "io/output/file_lock.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace mdsim {

namespace {

using Outcome = FileLock::Outcome;

std::string text_of(int descriptor) {
    std::array<char, 512> bytes{};
    const ssize_t n = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    return {bytes.data(), n > 0 ? static_cast<std::size_t>(n) : 0};
}

// A disk that is full takes no text; the lock holds all the same.
void write_text(int descriptor, const std::string& text) {
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, text.data(), text.size(), 0) < 0) return;
}

// The file may be somebody else's who lets us read it: that is enough to see whether it is locked.
int open_lock(const std::filesystem::path& file, mode_t permissions) {
    int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, permissions);
    if (descriptor >= 0 || (errno != EACCES && errno != EPERM && errno != EROFS)) return descriptor;
    descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0 && errno == ENOENT) errno = EACCES;
    return descriptor;
}

Outcome lock(int descriptor) {
    while (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return Outcome::taken;
        if (errno != EINTR) return Outcome::no_locks;
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

}  // namespace

FileLock::Attempt FileLock::take(const std::filesystem::path& file, mode_t permissions, const std::string& text,
                                 const Lives& lives) {
    for (;;) {
        const int descriptor = open_lock(file, permissions);
        if (descriptor < 0) return {{}, Outcome::not_opened, {}, errno};
        std::string owner = text_of(descriptor);
        Outcome outcome = mdsim::lock(descriptor);
        const int reason = errno;
        if (outcome != Outcome::taken && lives && !owner.empty() && lives(owner, outcome)) outcome = Outcome::taken;
        if (outcome != Outcome::taken && is_still_there(descriptor, file)) {
            write_text(descriptor, text);
            return {FileLock(file, descriptor), outcome, std::move(owner), reason};
        }
        ::close(descriptor);
        if (outcome == Outcome::taken) return {{}, outcome, std::move(owner), 0};
    }
}

FileLock::FileLock(FileLock&& other) noexcept
    : file_(std::move(other.file_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

// First the name, then the lock: the other way round the name could be another owner's by then.
FileLock::~FileLock() {
    if (descriptor_ < 0) return;
    ::unlink(file_.c_str());
    ::close(descriptor_);
}

void FileLock::touch() const {
    if (descriptor_ >= 0) ::futimens(descriptor_, nullptr);
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string this_process() {
    const std::time_t now = std::time(nullptr);
    std::array<char, 32> since{};
    std::tm utc{};
    std::strftime(since.data(), since.size(), "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&now, &utc));
    std::string text = fmt::format("process {} on host {} since {}", ::getpid(), host_name(), since.data());
    constexpr std::array<std::array<const char*, 2>, 4> launchers{
        {{"SLURM_JOB_ID", "Slurm"}, {"PBS_JOBID", "PBS"}, {"LSB_JOBID", "LSF"}, {"JOB_ID", "Grid Engine"}}};
    for (const auto& [variable, name] : launchers) {
        const char* job = std::getenv(variable);
        if (job != nullptr) return text + fmt::format(", {} job {}", name, job);
    }
    return text;
}

}  // namespace mdsim
