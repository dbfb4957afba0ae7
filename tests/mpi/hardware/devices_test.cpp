// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "parallel/threads.h"
#include "run/hardware/hardware_choice.h"
#include "world.h"

using namespace mdsim;
using Catch::Contains;

namespace {

// A machine of as many devices, on which all ranks run.
Machine machine_with(int devices) {
    gpu::Survey survey;
    survey.backend = gpu::Backend::cuda;
    survey.missing = "no NVIDIA driver is installed";
    for (int n = 0; n < devices; ++n) {
        survey.devices.push_back(
            {.backend = gpu::Backend::cuda, .index = n, .name = "Test", .uuid = std::to_string(n)});
    }
    Machine machine;
    machine.survey = [survey] { return std::vector{survey}; };
    machine.marks = [] { return std::nullopt; };
    machine.host = "node" + std::to_string(world().rank());
    machine.rank.rank = world().rank();
    machine.rank.size = world().size();
    machine.rank.source = "MPI";
    machine.of_device = [](const std::string&) { return Locality(); };
    return machine;
}

HardwareChoice choose(const Input& input, int devices) {
    set_thread_count(1);
    return choose_hardware(input, machine_with(devices), world());
}

Input input_with(GpuChoice gpu) {
    Input input;
    input.hardware.gpu = gpu;
    return input;
}

}  // namespace

TEST_CASE("ranks share the devices of a host") {
    for (const int devices : {1, 2, world().size()}) {
        const bool crowded = world().size() > 4 * devices;
        CHECK(choose(input_with(GpuChoice::automatic), devices).device.has_value() == !crowded);
        const HardwareChoice choice = choose(input_with(GpuChoice::required), devices);
        REQUIRE(choice.device);
        CHECK(choice.device->index == world().rank() % devices);
        if (world().leads()) CHECK(choice.warnings.empty() == (world().size() <= devices));
    }
}

TEST_CASE("where one rank has no device none computes with one") {
    const bool without = world().size() > 1 && world().rank() == world().size() - 1;
    const HardwareChoice choice = choose(input_with(GpuChoice::automatic), without ? 0 : world().size());
    CHECK(choice.device.has_value() == world().alone());
    if (world().alone()) return;
    CHECK_THAT(choice.notes.front(), Contains(without ? "no NVIDIA driver"
                                                      : "rank " + std::to_string(world().size() - 1) + " on node" +
                                                            std::to_string(world().size() - 1) + " has none"));
}

TEST_CASE("messages between devices go as the input asks, or as MPI says") {
    Input input = input_with(GpuChoice::host);
    CHECK(choose(input, 0).transport == (world().alone() ? Transport::staged : Transport::direct));
    input.hardware.gpu_messages = GpuMessages::staged;
    CHECK(choose(input, 0).transport == Transport::staged);
    input = input_with(GpuChoice::automatic);
    const Transport said = mpi_takes(DeviceMemory::cuda) ? Transport::direct : Transport::staged;
    CHECK(choose(input, 8).transport == (world().alone() ? Transport::staged : said));
    input.hardware.gpu_messages = GpuMessages::direct;
    CHECK(choose(input, 8).transport == (world().alone() ? Transport::staged : Transport::direct));
}
