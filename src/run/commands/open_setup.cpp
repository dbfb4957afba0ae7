// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "parallel/threads.h"
#include "run/commands/commands.h"
#include "run/setup.h"

namespace mdsim {

namespace {

void take_option(Input& input, const char* key, const std::string& value, const char* option) {
    for (SettingLine& line : input.settings) {
        if (line.key != key) continue;
        line.value = value;
        line.origin = option;
    }
}

void take_options(Input& input, const CommonOptions& options) {
    if (options.threads > 0) {
        input.hardware.threads = options.threads;
        take_option(input, "hardware.threads", std::to_string(options.threads), "--threads");
    }
    if (!options.precision.empty()) {
        const bool mixed = options.precision == "mixed";
        input.hardware.precision = mixed ? PrecisionChoice::mixed : PrecisionChoice::double_;
        take_option(input, "hardware.precision", mixed ? "\"mixed\"" : "\"double\"", "--precision");
    }
}

}  // namespace

// Lines that begin with "error:" are what ended the program.
void warn(const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings) std::fputs(("warning: " + warning + "\n").c_str(), stderr);
}

Setup open_setup(const CommonOptions& options) {
    Input input = read_input(options.input, options.overrides);
    take_options(input, options);
    const Comm world;
    const Machine machine = this_machine(world);
    set_thread_count(input.hardware.threads > 0 ? input.hardware.threads : machine.threads);
    HardwareChoice hardware = choose_hardware(input, machine, world);
    warn(hardware.warnings);
    Setup setup = read_setup(std::move(input));
    setup.hardware = std::move(hardware);
    return setup;
}

}  // namespace mdsim
