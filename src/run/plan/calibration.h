// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "run/plan/resources.h"
#include "run/plan/step_model.h"

namespace mdsim {

/// What this machine was measured to need for a stage.
struct Calibration {
    CoreTimes core;
    MemoryCosts memory;
    int threads = 1;              ///< that the share that threads do not divide was measured with
    bool serial_believed = true;  ///< false: the usual share was taken, since that one cannot be (or one thread only)
    double ms_per_step = 0.0;     ///< of one rank with one thread
    std::int64_t steps = 0;       ///< measured with one thread
    std::string device;           ///< that computed pairs and mesh; empty: none
};

/// Share of the work that threads do not divide, where it was not measured: that of `mdsim bench` with inputs/protein.
inline constexpr double usual_serial_share = 0.04;
/// A measured share above this tells of other programs on the machine.
inline constexpr double largest_serial_share = 0.3;

/// Runs the first stage of dynamics for a few seconds: with one thread, with one thread and a finer mesh (which tells
/// what a mesh point costs from what an atom does), and with all of `threads`. The setup is as it was afterwards. Times
/// of one thread are of its processor, so that other programs do not count.
/// before: memory of this process before the input was read [bytes].
Calibration calibrate(Setup& setup, const Workload& work, int threads, std::int64_t before);

/// The same from numbers: times of the parts of a step, in seconds, as bench measures them.
struct MeasuredStep {
    double total = 0.0, pairs = 0.0, device = 0.0, bonded = 0.0, search = 0.0, mesh = 0.0;
};
CoreTimes core_times(const Workload& work, const MeasuredStep& step, double time_of_mesh_point);
/// From the same step with meshes of n1 and n2 points: what a point takes, at least 0 and at most all of it [s].
double time_of_mesh_point(double time1, double points1, double time2, double points2);
/// From the times of one thread and of several: 0 where they divide all of the work, 1 where they are no faster.
double serial_share(double time_of_one, double time_of_all, int threads);

}  // namespace mdsim
