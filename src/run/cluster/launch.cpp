// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/launch.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"

namespace mdsim {

namespace {

constexpr const char* of_step = "SLURM_STEP_NUM_TASKS";

Launch launch_by(const Environment& environment, const char* size, const char* rank) {
    const int tasks = number_of(environment, size).value_or(1);
    const int task = number_of(environment, rank).value_or(0);
    return {std::max(tasks, task + 1), task, size};
}

// A batch script, and what it starts without srun, has the number of tasks of the allocation in SLURM_NTASKS, and
// SLURM_PROCID = 0; the variables of a step are for its tasks alone.
bool in_step(const Environment& environment) {
    return environment("SLURM_STEP_ID") != nullptr || environment(of_step) != nullptr ||
           number_of(environment, "SLURM_PROCID").value_or(0) > 0;
}

std::string remedy(const Launch& launch, const std::string& mpi_library) {
    if (mpi_library.empty()) return "one process, or a build of mdsim with MPI (cmake -DMDSIM_MPI=ON)";
    if (!launch.source.starts_with("SLURM")) return fmt::format("the mpirun of {}", mpi_library);
    const bool open_mpi = mpi_library.find("Open MPI") != std::string::npos;
    return fmt::format(
        "srun --mpi={} mdsim ... (this mdsim has {}; `srun --mpi=list` shows what this Slurm has), or mpirun in the "
        "batch script",
        open_mpi ? "pmix" : "pmi2", mpi_library);
}

}  // namespace

Launch find_launch(const Environment& environment) {
    // First: below mpirun the variables of Slurm are those of the step of its daemons.
    if (environment("OMPI_COMM_WORLD_SIZE") != nullptr)
        return launch_by(environment, "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK");
    if (in_step(environment)) {
        const bool has_step = environment(of_step) != nullptr;
        return launch_by(environment, has_step ? of_step : "SLURM_NTASKS", "SLURM_PROCID");
    }
    if (environment("PMI_SIZE") != nullptr) return launch_by(environment, "PMI_SIZE", "PMI_RANK");
    Launch alone;
    alone.allocated = std::max(1, number_of(environment, "SLURM_NTASKS").value_or(1));
    return alone;
}

void require_joined(const Launch& launch, int world_size, const std::string& mpi_library) {
    if (world_size >= launch.tasks) return;
    if (launch.task != 0) throw Error(ExitCode::input_error, std::vector<Problem>{});
    throw_input_error(
        {.code = "MD801",
         .what = fmt::format("{} processes were started together ({}), and MPI joins {} of them", launch.tasks,
                             launch.source, world_size == 1 ? "none" : std::to_string(world_size)),
         .why = "each would compute the whole system by itself and write the same files",
         .remedy = remedy(launch, mpi_library)});
}

std::string warning_of_idle_tasks(const Launch& launch) {
    if (launch.allocated <= 1) return {};
    return fmt::format(
        "this job has room for {} tasks (SLURM_NTASKS), and this one process uses that of one host alone; "
        "srun --mpi=pmix mdsim ... starts a rank for each",
        launch.allocated);
}

}  // namespace mdsim
