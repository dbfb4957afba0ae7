// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
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

/// What the back ends of vendors in this build see; asks the drivers. Visible-device variables are theirs to obey.
std::vector<Survey> survey_devices();

/// `gpu` of the input.
enum class Wish { off, automatic, required, host };

struct Choice {
    std::optional<DeviceInfo> device;  ///< none: the CPU
    std::string line;                  ///< for the log: what was taken, or why none
};

/// The device of this rank: of all devices (or of those in `list`, which makes it required) the one at local rank
/// modulo their number. Throws where one is required and there is none, with what is missing.
Choice choose_device(Wish wish, std::span<const int> list, int local_rank, std::span<const Survey> surveys);

}  // namespace mdsim::gpu
