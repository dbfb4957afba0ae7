// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <sys/types.h>

namespace mdsim {

/// A file that one process at a time locks, with a text that says who it is.
///
/// The lock is the system's (flock): it ends with its process, however that dies, and a file that is left behind
/// hinders nobody. The file goes away with the object that holds it.
class FileLock {
  public:
    enum class Outcome {
        held,
        taken,       ///< another process has it
        no_locks,    ///< the file is there, but its file system locks nothing
        not_opened,  ///< the file can be neither made nor read
    };
    struct Attempt;
    /// Whether a process that the lock does not show has the file all the same, by the text that it left there.
    using Lives = std::function<bool(const std::string& owner, Outcome outcome)>;

    /// Tries to lock `file`, which is made with these permissions where it is not there yet. text: of this process,
    /// for others to read. lives: asked before the file is taken over from another one; taken where it says so.
    static Attempt take(const std::filesystem::path& file, mode_t permissions, const std::string& text,
                        const Lives& lives = {});

    FileLock() = default;
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock();

    /// Sets the time of the file to now, where that is allowed.
    void touch() const;

  private:
    FileLock(std::filesystem::path file, int descriptor) : file_(std::move(file)), descriptor_(descriptor) {}

    std::filesystem::path file_;
    int descriptor_ = -1;
};

struct FileLock::Attempt {
    FileLock lock;  ///< holds nothing where the file was taken or not opened
    Outcome outcome = Outcome::not_opened;
    std::string owner;  ///< text of who has it, or had it last and left the file behind; empty: nobody
    int reason = 0;     ///< errno, for no_locks and not_opened
};

/// Name of this machine.
std::string host_name();

/// "process 4711 on host node7 since 2026-01-31T12:00:00Z, Slurm job 99", or of PBS, LSF or Grid Engine.
std::string this_process();

}  // namespace mdsim
