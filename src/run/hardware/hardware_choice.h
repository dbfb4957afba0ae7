// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gpu/api/device.h"
#include "io/input/input.h"

namespace mdsim {

/// What a run computes on.
struct HardwareChoice {
    std::optional<gpu::DeviceInfo> device;  ///< none: the CPU computes everything
    gpu::HostSettings host;                 ///< for gpu = "host"
    std::vector<std::string> notes;         ///< lines for the log: what was taken, or why no device
};

/// Takes a device as hardware.gpu asks for. Errors, with exit code 2: none can be used where one is required (MD701,
/// MD702); double precision, which no device computes, where one is required (MD706).
HardwareChoice choose_hardware(const Input& input);

}  // namespace mdsim
