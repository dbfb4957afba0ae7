// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

namespace mdsim {

/// FFTW's planner is not safe to call from two threads: who makes or destroys a plan holds this.
inline std::mutex& fftw_planner() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace mdsim
