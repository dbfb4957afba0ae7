// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/local_rank.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

namespace mdsim {

namespace {

// A machine with more processes than that would be a mistake.
constexpr int most = 65536;

// "4(x2),3": tasks of the node, nodes counted from 0.
std::optional<int> tasks_of_node(std::string_view list, int node) {
    for (std::size_t begin = 0; begin < list.size();) {
        const std::size_t end = std::min(list.find(',', begin), list.size());
        const std::string_view entry = list.substr(begin, end - begin);
        const std::size_t bracket = std::min(entry.find("(x"), entry.size());
        const std::optional<int> tasks = number_in(entry.substr(0, bracket), most);
        const std::optional<int> repeats =
            bracket == entry.size() ? 1 : number_in(entry.substr(bracket + 2, entry.find(')') - bracket - 2), most);
        if (!tasks || !repeats) return std::nullopt;
        if (node < *repeats) return tasks;
        node -= *repeats;
        begin = end + 1;
    }
    return std::nullopt;
}

int tasks_on_this_node(const Environment& environment) {
    const int node = number_of(environment, "SLURM_NODEID", most).value_or(0);
    for (const char* name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE", "SLURM_NTASKS_PER_NODE"}) {
        const char* list = environment(name);
        const std::optional<int> tasks = list == nullptr ? std::nullopt : tasks_of_node(list, node);
        if (tasks) return *tasks;
    }
    return 1;
}

// A batch script has these variables too, with the numbers of the whole allocation: only the tasks of a step (srun)
// are ranks, and of those in a script none has a local number above 0.
LocalRank of_slurm(const Environment& environment) {
    const std::optional<int> rank = number_of(environment, "SLURM_LOCALID", most);
    const bool in_step = environment("SLURM_STEP_ID") != nullptr || (rank && *rank > 0);
    if (!rank || environment("SLURM_PROCID") == nullptr || !in_step) return {};
    return {*rank, std::max(tasks_on_this_node(environment), *rank + 1), "SLURM_LOCALID", {}};
}

// All local processes of a launch are children of the same process, but for wrapper scripts.
std::string job_of(const Environment& environment) {
    std::string job;
    for (const char* name : {"PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID"}) {
        if (const char* value = environment(name)) job += fmt::format("{}={} ", name, value);
    }
    return job.empty() ? fmt::format("parent={}", ::getppid()) : job;
}

}  // namespace

LocalRank local_rank(const Environment& environment) {
    constexpr std::array<std::array<const char*, 2>, 5> launchers{
        {{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
         {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
         {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
         {"PMI_LOCAL_RANK", "PMI_LOCAL_SIZE"},
         {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"}}};
    LocalRank found;
    for (const auto& [rank_name, size_name] : launchers) {
        const std::optional<int> rank = number_of(environment, rank_name, most);
        if (!rank) continue;
        found = {*rank, std::max(number_of(environment, size_name, most).value_or(1), *rank + 1), rank_name, {}};
        break;
    }
    if (found.source.empty()) found = of_slurm(environment);
    if (!found.source.empty()) found.job = job_of(environment);
    return found;
}

int devices_of_step(const Environment& environment) {
    return number_of(environment, "SLURM_GPUS_ON_NODE", most).value_or(0);
}

}  // namespace mdsim
