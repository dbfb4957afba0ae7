// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/launch.h"

#include <map>

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace mdsim;
using Catch::Contains;

namespace {

using Variables = std::map<std::string, std::string>;

Launch launch_with(Variables variables) {
    return find_launch([variables = std::move(variables)](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    });
}

// As Slurm 22.05 sets them for the third of four tasks.
const Variables step{{"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "4"},
                     {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "2"},  {"SLURM_NODEID", "1"}};
const Variables script{{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "8"}, {"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}};

std::string message_of(const Launch& launch, int world, const std::string& library) {
    try {
        require_joined(launch, world, library);
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        return std::string("thrown: ") + error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("what a launcher has started", "[cluster]") {
    const Launch alone = launch_with({});
    CHECK(alone.tasks == 1);
    CHECK(alone.source.empty());
    CHECK(warning_of_idle_tasks(alone).empty());

    const Launch task = launch_with(step);
    CHECK(task.tasks == 4);
    CHECK(task.task == 2);
    CHECK(task.source == "SLURM_STEP_NUM_TASKS");
    CHECK(warning_of_idle_tasks(task).empty());

    Variables old = step;
    old.erase("SLURM_STEP_NUM_TASKS");
    CHECK(launch_with(old).tasks == 8);

    // Some plugins name no rank.
    CHECK(launch_with({{"SLURM_STEP_NUM_TASKS", "4"}}).tasks == 4);
    CHECK(launch_with({{"SLURM_STEP_ID", "0"}, {"SLURM_NTASKS", "3"}}).tasks == 3);

    // A batch script is no task, whatever the job has room for.
    const Launch of_script = launch_with(script);
    CHECK(of_script.tasks == 1);
    CHECK_THAT(warning_of_idle_tasks(of_script), Contains("8 tasks") && Contains("srun --mpi=pmix"));

    // mpirun's daemons are tasks of a step: one a host.
    Variables below = step;
    below.insert_or_assign("OMPI_COMM_WORLD_SIZE", "16");
    below.insert_or_assign("OMPI_COMM_WORLD_RANK", "9");
    CHECK(launch_with(below).tasks == 16);
    CHECK(launch_with(below).task == 9);

    CHECK(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "1"}}).tasks == 3);
    CHECK(launch_with({{"PMI_SIZE", "three"}, {"PMI_RANK", "1"}}).tasks == 2);
}

TEST_CASE("processes that MPI does not join are refused with one message", "[cluster]") {
    Variables first = step;
    first.insert_or_assign("SLURM_PROCID", "0");
    CHECK(message_of(launch_with(first), 4, "Open MPI v4.1.4").empty());
    CHECK_THAT(message_of(launch_with(first), 1, "Open MPI v4.1.4"),
               Contains("[MD801]") && Contains("4 processes") && Contains("SLURM_STEP_NUM_TASKS") &&
                   Contains("joins none") && Contains("srun --mpi=pmix") && Contains("Open MPI v4.1.4"));
    CHECK_THAT(message_of(launch_with(first), 1, "MPICH Version: 4.0.2"), Contains("srun --mpi=pmi2"));
    CHECK_THAT(message_of(launch_with(first), 2, "Open MPI v4.1.4"), Contains("joins 2"));
    CHECK_THAT(message_of(launch_with(first), 1, ""), Contains("MDSIM_MPI=ON"));
    CHECK_THAT(message_of(launch_with({{"PMI_SIZE", "3"}, {"PMI_RANK", "0"}}), 1, "Open MPI v4.1.4"),
               Contains("the mpirun of Open MPI"));
    // The others end as well, without a word.
    CHECK(message_of(launch_with(step), 1, "Open MPI v4.1.4") == "thrown: ");
    CHECK(message_of(launch_with({}), 1, "").empty());
    CHECK(message_of(launch_with(script), 1, "").empty());
}
