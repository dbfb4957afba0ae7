// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every call of a vendor's library goes through check(). MDSIM_BACKEND and MDSIM_VENDOR are defined.

#include <string>

#include "gpu/api/error.h"

namespace mdsim::gpu {
inline namespace MDSIM_BACKEND {

inline Failure failure_of(MDSIM_VENDOR(Error_t) error) {
    switch (error) {
        case MDSIM_VENDOR(ErrorNoDevice):
        case MDSIM_BUSY_DEVICE:
            return Failure::no_device;
        case MDSIM_VENDOR(ErrorInsufficientDriver):
            return Failure::driver_too_old;
        case MDSIM_OUT_OF_MEMORY:
            return Failure::out_of_memory;
        case MDSIM_UNCORRECTABLE_MEMORY:
        case MDSIM_LOST_DEVICE:
            return Failure::device_lost;
        default:
            return Failure::operation;
    }
}

inline void check(MDSIM_VENDOR(Error_t) error, const Work& work) {
    if (error == MDSIM_VENDOR(Success)) return;
    (void)MDSIM_VENDOR(GetLastError)();  // it would be reported a second time
    throw DeviceError(failure_of(error), work,
                      std::string(MDSIM_VENDOR(GetErrorName)(error)) + ": " + MDSIM_VENDOR(GetErrorString)(error));
}

}  // namespace MDSIM_BACKEND
}  // namespace mdsim::gpu
