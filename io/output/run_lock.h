// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/output/file_lock.h"

namespace mdsim {

/// A lock file that one process holds as long as it works on a run, so that no second one writes the same outputs.
///
/// The text in it, for messages, names host, process, start and Slurm job. Over NFS Linux locks by way of the server,
/// so that other hosts see it; where a file system cannot lock, or only for its own host (mount options nolock,
/// local_lock), a warning says what was seen of another process.
class RunLock {
  public:
    /// Input error MD608, with the owner's text, where another process holds the lock. A file that may not be made (no
    /// permission, read-only disk) is no error: who holds nothing here cannot write the outputs either.
    static RunLock take(const std::filesystem::path& file, std::vector<std::string>& warnings);

  private:
    explicit RunLock(FileLock lock) : lock_(std::move(lock)) {}

    FileLock lock_;
};

}  // namespace mdsim
