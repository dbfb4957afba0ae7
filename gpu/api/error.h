// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/error.h"

namespace mdsim::gpu {

/// What a call to a device was for; an error repeats it. Both are literals, so that noting them costs nothing.
struct Work {
    const char* operation = "";  ///< "kernel spread_charges", "download of forces"
    const char* physics = "";    ///< "the mesh"
};

enum class Failure {
    no_device,       ///< MD701, exit code 2; also one that another process has for itself
    driver_too_old,  ///< MD702, exit code 2
    out_of_memory,   ///< MD703, exit code 1
    device_lost,     ///< MD704, exit code 75: the run can go on from its checkpoint, on a device that works
    operation,       ///< MD705, exit code 1
};

/// Whatever goes wrong with a device.
class DeviceError final : public Error {
  public:
    /// detail: what the back end said.
    DeviceError(Failure failure, const Work& work, const std::string& detail);

    Failure failure() const { return failure_; }
    const Work& work() const { return work_; }

  private:
    Failure failure_;
    Work work_;
};

}  // namespace mdsim::gpu
