// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/output/file_lock.h"
#include "run/hardware/local_rank.h"

namespace mdsim {

/// Marks a device as used by this process, so that another mdsim of the same user can warn of sharing it. It hinders
/// nobody: who finds it taken runs all the same.
struct DeviceLock {
    FileLock lock;
    std::string owner;      ///< text of another process that uses the device, empty: none does
    bool same_job = false;  ///< the owner is a rank of the same launch
};

/// A file for each device in `folder`. Where it cannot be made, nothing is marked, and that is no error.
/// id: the uuid, or what else tells devices of this machine apart.
DeviceLock mark_device(const std::filesystem::path& folder, const std::string& id, const LocalRank& rank);

/// Folder of this user for files that need not survive a restart: in XDG_RUNTIME_DIR, in /run/user, or in the system's
/// folder for temporary files. Made with permissions for the user alone; none where that is not possible.
std::optional<std::filesystem::path> runtime_folder(const Environment& environment);

}  // namespace mdsim
