// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "forces/device/device_message.h"
#include "gpu/api/device.h"
#include "io/input/input.h"
#include "io/output/file_lock.h"
#include "parallel/comm.h"
#include "run/hardware/local_rank.h"
#include "run/hardware/placement.h"

namespace mdsim {

/// What a run computes on.
struct HardwareChoice {
    std::optional<gpu::DeviceInfo> device;    ///< none: the CPU computes everything
    gpu::HostSettings host;                   ///< for gpu = "host"
    Transport transport = Transport::staged;  ///< of messages between devices
    std::vector<std::string> notes;  ///< for the log: one line on what was taken or why no device, then the placement
    std::vector<std::string> warnings;  ///< of devices that are shared; of all ranks, with the first one
    FileLock mark;                      ///< says to others that this process uses the device
};

/// What there is to choose from, and who else does.
struct Machine {
    std::function<std::vector<gpu::Survey>()> survey;  ///< asks the drivers
    LocalRank rank;
    Locality locality;               ///< of the cores
    std::vector<Locality> of_ranks;  ///< of the cores of each local rank; empty: not known
    int threads = 0;                 ///< for a rank that is not told how many; 0: OMP_NUM_THREADS says it
    int devices_of_step = 0;         ///< see there
    bool hidden = false;             ///< a variable decides which devices are visible
    std::string host, cores;
    std::function<Locality(const std::string& pci)> of_device;    ///< of a device
    std::function<std::optional<std::filesystem::path>()> marks;  ///< makes the folder for marks of devices in use
};
/// Called by all ranks together, before the number of threads is set.
Machine this_machine(const Comm& world);

/// Takes a device as hardware.gpu asks for, each rank one or none any: of those that this process sees one near to its
/// cores, so that the ranks of a host have as many of them each, or one more. Called by all ranks together, after the
/// number of threads is set. Errors, with exit code 2: none can be used where one is required (MD701, MD702); double
/// precision, which no device computes, where one is required (MD706).
HardwareChoice choose_hardware(const Input& input, const Machine& machine, const Comm& world);

}  // namespace mdsim
