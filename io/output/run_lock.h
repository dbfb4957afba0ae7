// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace mdsim {

/// A lock file that one process holds as long as it works on a run, so that no second one writes the same outputs.
///
/// The text in it, for messages, names host, process, start and job. The lock is the system's (io/output/file_lock.h);
/// over NFS Linux locks by way of the server, so that other hosts see it. Where a file system cannot lock, or only for
/// its own host (mount options nolock, local_lock, localflock), a lock says nothing of other processes. So who holds
/// the file also sets its time every few seconds, and one that names another host, or lies where nothing can be locked,
/// is watched for some of these signs of life before it is taken over.
class RunLock {
  public:
    struct Timing {
        double beat = 5.0;       ///< between two signs of life [s]
        double patience = 16.0;  ///< without one: nobody has the file [s]
    };
    using Warn = std::function<void(const std::string&)>;

    /// Input error MD608, with the owner's text, where another process holds the lock. A file that may not be made (no
    /// permission, read-only disk) is no error: who holds nothing here cannot write the outputs either.
    static RunLock take(const std::filesystem::path& file, const Warn& warn, const Timing& timing);
    static RunLock take(const std::filesystem::path& file, const Warn& warn) { return take(file, warn, Timing{}); }

    RunLock(RunLock&&) noexcept;
    RunLock& operator=(RunLock&&) noexcept;
    ~RunLock();

  private:
    class Held;
    std::unique_ptr<Held> held_;  // null: nothing is held

    explicit RunLock(std::unique_ptr<Held> held);
};

}  // namespace mdsim
