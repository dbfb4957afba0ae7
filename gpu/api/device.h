// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/api/driver.h"
#include "gpu/api/settings.h"

namespace mdsim::gpu {

/// A device in use. Outlives its streams, events, buffers and plans.
class Device {
  public:
    /// settings: of the host back end; no other one looks at them.
    explicit Device(DeviceInfo info, const HostSettings& settings = {});

    const DeviceInfo& info() const { return info_; }
    Backend backend() const { return info_.backend; }
    Driver& driver() const { return *driver_; }

  private:
    DeviceInfo info_;
    std::unique_ptr<Driver> driver_;
};

/// The host back end as a device.
DeviceInfo host_device();

/// What the back ends of vendors in this build see; asks the drivers, which obey the variables for visible devices.
/// Where there is none, `missing` names such variables with their values.
std::vector<Survey> survey_devices();

/// ", visible are those of CUDA_VISIBLE_DEVICES = \"-1\"": the variables that decide what a back end sees, where they
/// are set.
std::string visible_devices(Backend backend, const std::function<const char*(const char*)>& environment);

/// Devices to choose from.
struct Candidates {
    std::vector<DeviceInfo> devices;  ///< none: the CPU
    std::string missing;              ///< then: why
};

enum class Wish { wanted, required };

/// All devices, or those with the numbers of `list`. Where there is none, or not one of the list, and it is required:
/// an error that says what is missing (MD701, MD702).
Candidates candidates(Wish wish, std::span<const int> list, std::span<const Survey> surveys);

}  // namespace mdsim::gpu
