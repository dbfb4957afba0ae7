// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "run/plan/calibration.h"

namespace mdsim {

/// The best layout for a number of nodes, and what it does.
struct NodePlan {
    Layout layout;
    RankGrid grid{};
    StepPrediction step;
    MemoryUse memory;
    /// Predicted speed over that of one core, divided by the cores that are used; with GPUs over that of one GPU.
    double efficiency = 1.0;
    double scaling = 1.0;  ///< the same against the first entry, by nodes
};

/// For each number of nodes the layout with the shortest step. threads: > 0: only layouts with so many a rank.
std::vector<NodePlan> make_plans(const Workload& work, const Calibration& calibration, const PlanRequest& request,
                                 int threads);

/// The place of the plan to take: the most nodes whose scaling is at least this.
inline constexpr double least_scaling = 0.6;
std::size_t recommended(const std::vector<NodePlan>& plans);

/// How far measured steps may be from predicted ones on one machine, for so many ranks with a processor each: what
/// validation/scaling/run.py tests (docs/scaling.md).
inline constexpr double expected_error = 0.35;
inline constexpr int expected_error_ranks = 2;

/// Everything that a plan says.
struct PlanReport {
    const Workload& work;
    const Calibration& calibration;
    const PlanRequest& request;
    const std::vector<NodePlan>& plans;
    DiskUse disk;
};
nlohmann::ordered_json to_json(const PlanReport& report);
/// The same as text, from that JSON.
std::vector<std::string> plan_text(const nlohmann::ordered_json& report);

}  // namespace mdsim
