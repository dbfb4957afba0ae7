// SPDX-License-Identifier: Apache-2.0
#include "io/output/run_lock.h"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <optional>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "io/output/append_file.h"
#include "io/output/file_lock.h"
#include "parallel/side_thread.h"

namespace mdsim {

namespace {

using Outcome = FileLock::Outcome;

std::chrono::duration<double> seconds(double s) {
    return std::chrono::duration<double>(s);
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
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

bool is_of_this_host(const std::string& owner) {
    return owner.find(fmt::format(" on host {} ", host_name())) != std::string::npos;
}

// Opened anew, since NFS asks the server then; nothing where the file is gone.
std::optional<std::timespec> time_of(const std::filesystem::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return std::nullopt;
    struct stat found {};
    const int failed = ::fstat(descriptor, &found);
    ::close(descriptor);
    return failed == 0 ? std::optional(found.st_mtim) : std::nullopt;
}

bool shows_life(const std::filesystem::path& file, double patience) {
    const auto end = std::chrono::steady_clock::now() + seconds(patience);
    const std::optional<std::timespec> before = time_of(file);
    while (before && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(seconds(0.02 * patience));
        const std::optional<std::timespec> now = time_of(file);
        if (!now) return false;
        if (now->tv_sec != before->tv_sec || now->tv_nsec != before->tv_nsec) return true;
    }
    return false;
}

}  // namespace

/// The lock and a thread that sets the file's time.
class RunLock::Held {
  public:
    Held(FileLock lock, double beat) : lock_(std::move(lock)) {
        thread_ = side_thread([this, beat] { show_life(beat); });
    }
    ~Held() {
        {
            const std::scoped_lock guard(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        thread_.join();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

  private:
    FileLock lock_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ends_ = false;
    std::thread thread_;

    void show_life(double beat) {
        std::unique_lock guard(mutex_);
        while (!changed_.wait_for(guard, seconds(beat), [&] { return ends_; })) lock_.touch();
    }
};

RunLock::RunLock(std::unique_ptr<Held> held) : held_(std::move(held)) {}
RunLock::RunLock(RunLock&&) noexcept = default;
RunLock& RunLock::operator=(RunLock&&) noexcept = default;
RunLock::~RunLock() = default;

RunLock RunLock::take(const std::filesystem::path& file, const Warn& warn, const Timing& timing) {
    const auto lives = [&](const std::string& owner, Outcome outcome) {
        if (outcome == Outcome::held && is_of_this_host(owner)) return false;
        warn(
            fmt::format("{} was left behind by {}; if that still runs, locks of this file system do not reach it: "
                        "waiting {} s for a sign of life",
                        file.string(), first_line(owner), timing.patience));
        return shows_life(file, timing.patience);
    };
    FileLock::Attempt attempt = FileLock::take(file, 0644, this_process() + "\n", lives);
    if (attempt.outcome == Outcome::taken) throw_taken(file, first_line(attempt.owner));
    if (attempt.outcome == Outcome::not_opened) {
        errno = attempt.reason;
        if (errno != EACCES && errno != EPERM && errno != EROFS) throw_system_error(file, "creating");
        return RunLock(nullptr);
    }
    if (attempt.outcome == Outcome::no_locks) {
        warn(
            fmt::format("{}: this file system locks no files ({}); a second process that starts within seconds of this "
                        "one is not noticed",
                        file.string(), std::strerror(attempt.reason)));
    }
    return RunLock(std::make_unique<Held>(std::move(attempt.lock), timing.beat));
}

}  // namespace mdsim
