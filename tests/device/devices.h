// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gpu/api/device.h"

namespace mdsim::test {

/// A device as a test sees it: the same cases run on all of them.
struct Case {
    std::string name;
    gpu::DeviceInfo info;
    gpu::HostSettings settings;
};

/// Every way in which the host back end plays a device: both warp widths, threads in order and in `seeds` random
/// orders.
std::vector<Case> host_cases(int seeds = 20);
/// The devices of this machine.
std::vector<Case> machine_cases();
/// Both.
std::vector<Case> all_cases();
/// The folder of the sources; MDSIM_SOURCE_DIR of the environment where the tests have moved to another machine.
std::filesystem::path source_folder();

}  // namespace mdsim::test
