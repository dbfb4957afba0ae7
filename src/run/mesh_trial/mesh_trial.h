// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "run/plan/calibration.h"
#include "run/plan/layout.h"

namespace mdsim {

/// How many ranks are set aside for the mesh, and what it was chosen by.
struct MeshRanksChoice {
    struct Tried {
        int mesh_ranks = 0;
        double ms_per_step = 0.0;
    };
    int mesh_ranks = 0;
    std::vector<Tried> tried;        ///< empty: nothing was measured
    std::string why;                 ///< why nothing was
    bool settled = true;             ///< false: a longer stage may be worth a trial
    std::vector<std::string> log{};  ///< what there is to say about it
};
/// A line for the log; empty where nothing had to be chosen.
std::string describe(const MeshRanksChoice& choice, int ranks);

/// Steps that are made with each count: those in which lists and messages settle, and those that are timed.
inline constexpr std::int64_t settling_steps = 10, timed_steps = 30;
/// Counts beside none that are tried at most.
inline constexpr int most_tried = 3;
/// A trial takes no more than this share of the steps that the stage has left.
inline constexpr double largest_trial_share = 0.05;
/// Fewer ranks share the mesh: three quarters of four cannot wait for the fourth.
inline constexpr int fewest_ranks_to_try = 4;

bool worth_a_trial(std::int64_t steps_left);

/// What was measured of a count.
struct TrialStep {
    double seconds = 0.0;  ///< a step of the slowest rank
    MeasuredStep parts;    ///< of a step, each summed over ranks; total: their sum
};

/// The counts with the shortest steps by the model of `mdsim plan`, at most `most_tried`, shortest first. together: the
/// layout with no rank set aside; parts: measured with that.
std::vector<int> promising_mesh_ranks(const Workload& work, const MeasuredStep& parts, const Layout& together);

/// Times none and then the counts that are promising by that, and takes the fastest: of equal ones the first.
MeshRanksChoice try_mesh_ranks(const std::function<TrialStep(int mesh_ranks)>& time,
                               const std::function<std::vector<int>(const MeasuredStep& with_none)>& promising);

}  // namespace mdsim
