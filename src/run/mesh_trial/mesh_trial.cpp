// SPDX-License-Identifier: Apache-2.0
#include "run/mesh_trial/mesh_trial.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

namespace {

// Of the mesh's time about this share goes into the transforms, the rest into atoms (inputs/protein with one rank). It
// decides on what is tried only.
constexpr double share_of_transforms = 0.5;

CoreTimes times_of_core(const Workload& work, const MeasuredStep& parts, const Layout& layout) {
    const double speed = thread_speedup(layout.threads, usual_serial_share);
    MeasuredStep of_one = parts;
    for (double* part : {&of_one.total, &of_one.pairs, &of_one.bonded, &of_one.search, &of_one.mesh}) *part *= speed;
    CoreTimes core = core_times(work, of_one, share_of_transforms * of_one.mesh / work.mesh->size());
    core.serial = usual_serial_share;
    return core;
}

}  // namespace

std::string describe(const MeshRanksChoice& choice, int ranks) {
    if (choice.tried.empty()) {
        return choice.why.empty() ? std::string() : "no ranks are set aside for the mesh: " + choice.why;
    }
    std::string text;
    for (const MeshRanksChoice::Tried& t : choice.tried) {
        text += fmt::format("{}{} with {:.3f} ms/step", text.empty() ? "" : ", ",
                            t.mesh_ranks == 0 ? "none" : std::to_string(t.mesh_ranks), t.ms_per_step);
    }
    return fmt::format("{} of {} ranks {} set aside for the mesh, tried in {} steps each: {}",
                       choice.mesh_ranks == 0 ? "none" : std::to_string(choice.mesh_ranks), ranks,
                       choice.mesh_ranks <= 1 ? "is" : "are", settling_steps + timed_steps, text);
}

bool worth_a_trial(std::int64_t steps_left) {
    constexpr double steps = (most_tried + 1) * (settling_steps + timed_steps);
    return steps <= largest_trial_share * static_cast<double>(steps_left);
}

std::vector<int> promising_mesh_ranks(const Workload& work, const MeasuredStep& parts, const Layout& together) {
    const CoreTimes core = times_of_core(work, parts, together);
    const Cluster cluster{.cores_per_node = together.ranks_per_node * together.threads};
    struct Predicted {
        double seconds;
        int mesh_ranks;
    };
    std::vector<Predicted> all;
    for (const int n : shares_for_mesh(together.ranks())) {
        Layout layout = together;
        layout.mesh_ranks = n;
        all.push_back({predict_step(work, core, cluster, layout).total, n});
    }
    std::sort(all.begin(), all.end(), [](const Predicted& a, const Predicted& b) {
        return a.seconds != b.seconds ? a.seconds < b.seconds : a.mesh_ranks < b.mesh_ranks;
    });
    std::vector<int> counts;
    for (const Predicted& p : all) {
        if (counts.size() < most_tried) counts.push_back(p.mesh_ranks);
    }
    return counts;
}

MeshRanksChoice try_mesh_ranks(const std::function<TrialStep(int mesh_ranks)>& time,
                               const std::function<std::vector<int>(const MeasuredStep& with_none)>& promising) {
    MeshRanksChoice choice;
    const TrialStep none = time(0);
    choice.tried.push_back({0, 1e3 * none.seconds});
    for (const int n : promising(none.parts)) choice.tried.push_back({n, 1e3 * time(n).seconds});
    const auto faster = [](const auto& a, const auto& b) { return a.ms_per_step < b.ms_per_step; };
    choice.mesh_ranks = std::min_element(choice.tried.begin(), choice.tried.end(), faster)->mesh_ranks;
    return choice;
}

}  // namespace mdsim
