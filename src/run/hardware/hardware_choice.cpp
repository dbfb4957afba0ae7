// SPDX-License-Identifier: Apache-2.0
#include "run/hardware/hardware_choice.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

namespace {

gpu::Wish wish_of(GpuChoice choice) {
    switch (choice) {
        case GpuChoice::off:
            return gpu::Wish::off;
        case GpuChoice::host:
            return gpu::Wish::host;
        case GpuChoice::automatic:
            return gpu::Wish::automatic;
        default:
            return gpu::Wish::required;
    }
}

gpu::HostSettings host_settings(const DebugInput& debug) {
    gpu::HostSettings host;
    host.warp_width = debug.warp_width;
    if (debug.random_order_seed) {
        host.order = gpu::ThreadOrder::shuffled;
        host.seed = *debug.random_order_seed;
    }
    return host;
}

const SettingLine& setting(const Input& input, const char* key) {
    return *std::find_if(input.settings.begin(), input.settings.end(),
                         [&](const SettingLine& line) { return line.key == key; });
}

// "FILE:LINE", "--set", or the file where nothing is given.
Place place_of(const Input& input, const char* key) {
    const std::string& origin = setting(input, key).origin;
    return {origin == "default" ? input.file.string() : origin};
}

[[noreturn]] void throw_double(const Input& input) {
    throw_input_error(
        {.code = "MD706",
         .place = place_of(input, "hardware.precision"),
         .what = fmt::format("precision = \"double\" with gpu = {}", setting(input, "hardware.gpu").value),
         .why = "the kernels of GPUs are of mixed precision; double precision is computed by the CPU",
         .remedy = "gpu = \"off\" for double precision, or precision = \"mixed\" for a GPU"});
}

}  // namespace

HardwareChoice choose_hardware(const Input& input) {
    HardwareChoice choice;
    choice.host = host_settings(input.debug);
    const GpuChoice asked = input.hardware.gpu;
    const bool full = input.hardware.precision == PrecisionChoice::double_;
    if (full && asked == GpuChoice::automatic) {
        choice.notes.emplace_back("no GPU: its kernels are of mixed precision, and the input asks for double");
        return choice;
    }
    if (full && asked != GpuChoice::off) throw_double(input);
    const bool looks = asked != GpuChoice::off && asked != GpuChoice::host;
    const std::vector<gpu::Survey> surveys = looks ? gpu::survey_devices() : std::vector<gpu::Survey>{};
    try {
        gpu::Choice taken = gpu::choose_device(wish_of(asked), input.hardware.devices, 0, surveys);
        choice.device = std::move(taken.device);
        choice.notes.push_back(std::move(taken.line));
    } catch (const gpu::DeviceError& error) {
        Problem problem = error.problems().front();
        problem.place = place_of(input, "hardware.gpu");
        throw Error(error.exit_code(), std::move(problem));
    }
    return choice;
}

}  // namespace mdsim
