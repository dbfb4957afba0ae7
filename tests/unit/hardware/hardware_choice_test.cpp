// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/hardware_choice.h"

#include <fstream>
#include <map>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io_output/temporary_folder.h"
#include "parallel/threads.h"
#include "run/hardware/device_lock.h"
#include "run/hardware/local_rank.h"
#include "run/hardware/rank_places.h"

using namespace mdsim;
using Catch::Contains;

namespace {

using Variables = std::map<std::string, std::string>;

Environment environment_of(Variables variables) {
    return [variables = std::move(variables)](const char* name) -> const char* {
        const auto found = variables.find(name);
        return found == variables.end() ? nullptr : found->second.c_str();
    };
}

LocalRank rank_in(Variables variables) {
    return local_rank(environment_of(std::move(variables)));
}

Input input_with(const std::string& keys) {
    return parse_input("[system]\ntopology = \"a.top\"\ncoordinates = \"a.gro\"\n" + keys, "test.inp");
}

/// A machine with devices of a vendor, one for each NUMA node that is named.
Machine machine_with(const std::vector<int>& nodes) {
    gpu::Survey survey;
    survey.backend = gpu::Backend::cuda;
    survey.missing = nodes.empty() ? "no NVIDIA driver is installed" : "";
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        survey.devices.push_back({.backend = gpu::Backend::cuda,
                                  .index = static_cast<int>(n),
                                  .name = "Test",
                                  .architecture = "sm_90",
                                  .uuid = "GPU-" + std::to_string(n),
                                  .pci = std::to_string(nodes[n])});
    }
    Machine machine;
    machine.survey = [survey] { return std::vector{survey}; };
    machine.marks = [] { return std::nullopt; };
    machine.host = "node7";
    machine.cores = "0-7";
    machine.locality = {{1}, {0}};
    machine.of_device = [](const std::string& pci) { return Locality{{std::stoi(pci)}, {std::stoi(pci) / 2}}; };
    return machine;
}

HardwareChoice choose_for(const Input& input, const Machine& machine) {
    set_thread_count(2);
    return choose_hardware(input, machine, Comm());
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

}  // namespace

TEST_CASE("local ranks as launchers tell them", "[hardware]") {
    CHECK(rank_in({}).size == 1);
    CHECK(rank_in({}).job.empty());
    for (const auto& [rank, size] : {std::pair{"OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                                     {"MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
                                     {"MV2_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},
                                     {"PALS_LOCAL_RANKID", "PALS_LOCAL_SIZE"}}) {
        const LocalRank found = rank_in({{rank, "2"}, {size, "4"}});
        CHECK(found.rank == 2);
        CHECK(found.size == 4);
        CHECK(found.source == rank);
        CHECK(!found.job.empty());
    }
    CHECK(rank_in({{"PALS_LOCAL_RANKID", "3"}}).size == 4);
    CHECK(rank_in({{"MPI_LOCALRANKID", "-1"}}).source.empty());
    CHECK(rank_in({{"MPI_LOCALRANKID", "two"}}).source.empty());
    CHECK(rank_in({{"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "2000000000"}}).size == 2);
}

TEST_CASE("local ranks of Slurm", "[hardware]") {
    const Variables task{{"SLURM_PROCID", "9"}, {"SLURM_LOCALID", "1"}, {"SLURM_STEP_ID", "0"},
                         {"SLURM_NODEID", "2"}, {"SLURM_JOB_ID", "77"}, {"SLURM_STEP_TASKS_PER_NODE", "4(x2),3"}};
    CHECK(rank_in(task).rank == 1);
    CHECK(rank_in(task).size == 3);
    CHECK(rank_in(task).job == "SLURM_JOB_ID=77 SLURM_STEP_ID=0 ");
    Variables simple = task;
    simple.erase("SLURM_STEP_TASKS_PER_NODE");
    simple["SLURM_NTASKS_PER_NODE"] = "5";
    simple["SLURM_NODEID"] = "0";
    CHECK(rank_in(simple).size == 5);
    // A batch script has the numbers of the allocation, and is no task.
    const Variables script{{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}, {"SLURM_TASKS_PER_NODE", "4"}};
    CHECK(rank_in(script).size == 1);
    CHECK(rank_in(script).source.empty());
    // mpirun within a step of one task.
    Variables inside = task;
    inside["OMPI_COMM_WORLD_LOCAL_RANK"] = "5";
    inside["OMPI_COMM_WORLD_LOCAL_SIZE"] = "8";
    CHECK(rank_in(inside).rank == 5);
    for (const char* odd : {"", "x", "4(x", "4(x2", "(x2)", "4,,", ",4"})
        CHECK(rank_in({{"SLURM_PROCID", "0"},
                       {"SLURM_LOCALID", "0"},
                       {"SLURM_STEP_ID", "0"},
                       {"SLURM_NODEID", "3"},
                       {"SLURM_TASKS_PER_NODE", odd}})
                  .size == 1);
}

TEST_CASE("the nearest device, or the CPU and why", "[hardware]") {
    HardwareChoice choice = choose_for(input_with(""), machine_with({2, 0, 1}));
    REQUIRE(choice.device);
    CHECK(choice.device->index == 2);
    CHECK(joined(choice.notes) ==
          "CUDA device 2 Test, sm_90, 1 of 3\nplacement:\n"
          "  rank  host   device            uuid   cores  threads  NUMA nodes\n"
          "  0     node7  2 Test, sm_90, 1  GPU-2  0-7    2        1\n");
    CHECK(choice.warnings.empty());
    choice = choose_for(input_with("[hardware]\ngpu = [0]"), machine_with({2, 0, 1}));
    CHECK(choice.device->index == 0);
    choice = choose_for(input_with(""), machine_with({}));
    CHECK(!choice.device);
    CHECK(choice.notes.front() == "no GPU: no NVIDIA driver is installed");
    choice = choose_for(input_with("[hardware]\ngpu = \"off\""), machine_with({1}));
    CHECK(!choice.device);
    CHECK(choice.notes.front() == "no GPU, as the input asks");
    choice = choose_for(input_with("[hardware]\ngpu = \"auto\"\nprecision = \"double\""), machine_with({1}));
    CHECK(!choice.device);
    CHECK_THAT(choice.notes.front(), Contains("no GPU") && Contains("double"));
}

TEST_CASE("the host back end, as the keys for tests say", "[hardware]") {
    const std::string host = "[hardware]\ngpu = \"host\"\n";
    HardwareChoice choice = choose_for(input_with(host), machine_with({1}));
    CHECK(choice.device->backend == gpu::Backend::host);
    CHECK(choice.host.warp_width == 32);
    CHECK(choice.host.order == gpu::ThreadOrder::forward);
    choice = choose_for(input_with(host + "[debug]\nwarp_width = 64\nrandom_order_seed = 7"), machine_with({}));
    CHECK(choice.host.warp_width == 64);
    CHECK(choice.host.order == gpu::ThreadOrder::shuffled);
    CHECK(choice.host.seed == 7);
}

TEST_CASE("a device that is required and not there", "[hardware]") {
    for (const char* gpu : {"\"required\"", "[0]"}) {
        const Input input = input_with(std::string("[hardware]\ngpu = ") + gpu);
        try {
            choose_for(input, machine_with({}));
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.exit_code() == ExitCode::input_error);
            CHECK_THAT(error.what(), Contains("[MD701]") && Contains("test.inp:5") && Contains("no NVIDIA driver") &&
                                         Contains("try:"));
        }
    }
    CHECK_THROWS_WITH(choose_for(input_with("[hardware]\ngpu = [3]"), machine_with({0, 1})),
                      Contains("no device 3 among the 2"));
    for (const char* gpu : {"\"required\"", "\"host\"", "[0]"}) {
        const Input input = input_with(std::string("[hardware]\nprecision = \"double\"\ngpu = ") + gpu);
        CHECK_THROWS_WITH(choose_for(input, machine_with({0})), Contains("[MD706]") && Contains("test.inp:5"));
    }
}

TEST_CASE("ranks share the devices of their machine", "[hardware]") {
    Machine machine = machine_with({1, 0});
    for (int rank = 0; rank < 2; ++rank) {
        machine.rank = {rank, 2, "MPI_LOCALRANKID", "job"};
        const HardwareChoice choice = choose_for(input_with(""), machine);
        CHECK(choice.device->index == rank);
        CHECK(choice.warnings.empty());
        CHECK(choice.notes.at(1) == "local rank " + std::to_string(rank) + " of 2 (MPI_LOCALRANKID)");
    }
    machine.rank = {2, 4, "MPI_LOCALRANKID", "job"};
    const HardwareChoice choice = choose_for(input_with(""), machine);
    CHECK(choice.device->index == 0);
    REQUIRE(choice.warnings.size() == 1);
    CHECK_THAT(choice.warnings[0], Contains("4 processes") && Contains("share 2 GPUs"));
}

TEST_CASE("a task of Slurm that sees its own device alone", "[hardware]") {
    Machine machine = machine_with({3});
    const Environment environment = environment_of({{"SLURM_PROCID", "3"},
                                                    {"SLURM_LOCALID", "3"},
                                                    {"SLURM_STEP_ID", "0"},
                                                    {"SLURM_STEP_TASKS_PER_NODE", "4"},
                                                    {"SLURM_GPUS_ON_NODE", "4"}});
    machine.rank = local_rank(environment);
    machine.devices_of_step = devices_of_step(environment);
    const HardwareChoice choice = choose_for(input_with("[hardware]\ngpu = \"required\""), machine);
    CHECK(choice.device->index == 0);
    CHECK(choice.warnings.empty());
    // A script that sets a variable for each rank, without Slurm.
    machine.devices_of_step = 0;
    machine.hidden = true;
    CHECK(choose_for(input_with(""), machine).warnings.empty());
    // Without the binding four tasks would share the one device.
    machine.devices_of_step = 1;
    CHECK(choose_for(input_with(""), machine).warnings.size() == 1);
}

TEST_CASE("a device without a uuid is told by its address", "[hardware]") {
    const TemporaryFolder folder;
    Machine machine = machine_with({1});
    machine.marks = [&] { return folder.path(); };
    machine.survey = [surveyed = machine.survey()] {
        std::vector<gpu::Survey> surveys = surveyed;
        surveys.front().devices.front().uuid.clear();
        return surveys;
    };
    const HardwareChoice first = choose_for(input_with(""), machine);
    const HardwareChoice second = choose_for(input_with(""), machine);
    REQUIRE(second.warnings.size() == 1);
    CHECK_THAT(second.warnings[0], Contains("GPU 0 (" + first.device->pci + ")"));
}

TEST_CASE("a device that another process uses is told", "[hardware]") {
    const TemporaryFolder folder;
    Machine machine = machine_with({1});
    machine.marks = [&] { return folder.path(); };
    {
        const HardwareChoice first = choose_for(input_with(""), machine);
        CHECK(first.warnings.empty());
        struct stat found {};
        REQUIRE(::stat((folder.path() / "GPU-0.lock").c_str(), &found) == 0);
        CHECK((found.st_mode & 0777) == 0600);
        const HardwareChoice second = choose_for(input_with(""), machine);
        REQUIRE(second.warnings.size() == 1);
        CHECK_THAT(second.warnings[0], Contains("process " + std::to_string(::getpid())) && Contains("gpu = [number]"));
        CHECK(choose_for(input_with("[hardware]\ngpu = \"host\""), machine).warnings.empty());
    }
    CHECK(!std::filesystem::exists(folder.path() / "GPU-0.lock"));
    // What a process has left that was killed hinders nobody.
    std::ofstream(folder.path() / "GPU-0.lock") << "process 1 on host elsewhere\n\n";
    CHECK(choose_for(input_with(""), machine).warnings.empty());
    // Ranks of one launch that are too many are told of that, once.
    machine.rank = {0, 2, "MPI_LOCALRANKID", "job"};
    const HardwareChoice first = choose_for(input_with(""), machine);
    machine.rank.rank = 1;
    CHECK(choose_for(input_with(""), machine).warnings.size() == 1);
    // Bound to one device each, and to the same.
    machine.devices_of_step = 2;
    CHECK(choose_for(input_with(""), machine).warnings.size() == 1);
    machine.marks = [] { return "/no/such/folder"; };
    CHECK(choose_for(input_with(""), machine).warnings.empty());
}

TEST_CASE("the folder of marks is the user's alone", "[hardware]") {
    const TemporaryFolder folder;
    const Environment environment = environment_of({{"XDG_RUNTIME_DIR", folder.path().string()}});
    CHECK(runtime_folder(environment) == folder.path() / "mdsim");
    // Open to others: not that one.
    ::chmod((folder.path() / "mdsim").c_str(), 0777);
    CHECK(runtime_folder(environment) != folder.path() / "mdsim");
}

TEST_CASE("ranks that know each other's cores take the devices near to them", "[hardware]") {
    Machine machine = machine_with({1, 0});
    machine.of_ranks = {{{0}, {0}}, {{1}, {0}}};
    for (int rank = 0; rank < 2; ++rank) {
        machine.rank = {rank, 2, "MPI", "job"};
        CHECK(choose_for(input_with(""), machine).device->index == 1 - rank);
    }
}

TEST_CASE("threads of a rank that is not told how many", "[hardware]") {
    const Environment nothing = environment_of({});
    CHECK(default_threads(8, 1, 1, nothing) == 8);
    CHECK(default_threads(8, 2, 2, nothing) == 4);
    CHECK(default_threads(8, 3, 3, nothing) == 2);
    CHECK(default_threads(2, 4, 4, nothing) == 1);
    // Bound by the launcher: each has processors of its own.
    CHECK(default_threads(4, 1, 2, nothing) == 4);
    // Slurm that binds nothing has given the job a part of the host.
    const Environment job = environment_of({{"SLURM_CPUS_ON_NODE", "6"}});
    CHECK(default_threads(64, 2, 2, job) == 3);
    CHECK(default_threads(3, 1, 2, job) == 3);
    CHECK(default_threads(64, 8, 8, job) == 1);
    CHECK(default_threads(8, 1, 1, environment_of({{"OMP_NUM_THREADS", "3"}})) == 0);
}
