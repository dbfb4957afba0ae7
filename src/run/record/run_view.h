// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "run/record/run_state.h"

namespace mdsim {

/// A line of `width` signs at most, each as high as the mean of its share of the values.
std::string sparkline(std::span<const double> values, std::size_t width);

/// "1:02:03", hours first; days where there are any.
std::string duration_text(double seconds);

/// What `mdsim watch` shows: status, stage, speed, time to go, and the course of energies and temperature.
std::vector<std::string> view_of(const RunPaths& paths, const RunState& state);
/// The same for programs.
std::string json_of(const RunPaths& paths, const RunState& state);

}  // namespace mdsim
