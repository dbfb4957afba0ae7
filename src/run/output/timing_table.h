// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "forces/force_set.h"
#include "gpu/api/timing/timeline.h"

namespace mdsim {

/// What a device did in a step, on average over the evaluations that were measured [ms].
struct DeviceStep {
    std::vector<std::pair<std::string, double>> operations;  ///< kernels, copies, transforms: the longest first
    double busy = 0.0;                                       ///< with at least one of them running
    double waited = 0.0;                                     ///< by the host
    double hidden = 0.0;                                     ///< gpu::DeviceTimes::hidden
};
/// All zero where none was measured.
DeviceStep device_step(const gpu::DeviceTimes& times, std::int64_t steps);

/// A table of each device that is in use, in lines that begin alike, for whoever compares logs.
std::vector<std::string> device_tables(const ForceSet& forces, std::int64_t steps);

/// Steps that were made, and how long that took [s].
struct Pace {
    std::int64_t steps = 0;
    double seconds = 0.0;
    double timestep = 0.0;  ///< [ps]
    std::size_t atoms = 0;
};
/// The lines that the log has at the end of a stage: speed, share of each part of the step, and a table of each device.
std::vector<std::string> timing_table(ForceSet& forces, const Pace& pace);

}  // namespace mdsim
