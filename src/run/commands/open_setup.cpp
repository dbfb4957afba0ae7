// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "parallel/threads.h"
#include "parallel/together.h"
#include "run/cluster/launch.h"
#include "run/commands/commands.h"
#include "run/ranks/share_setup.h"
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

Setup open_setup(const CommonOptions& options, const Comm& world) {
    Setup setup;
    lead_alone(world, [&] {
        Input input = read_input(options.input, options.overrides);
        take_options(input, options);
        setup = read_setup(std::move(input));
    });
    setup.ranks = &world;
    share_setup(setup, world);
    take_options(setup.input, options);
    const Machine machine = this_machine(world);
    set_thread_count(setup.input.hardware.threads > 0 ? setup.input.hardware.threads : machine.threads);
    setup.hardware = choose_hardware(setup.input, machine, world);
    if (const std::string idle = warning_of_idle_tasks(find_launch(this_environment())); !idle.empty())
        setup.hardware.warnings.push_back(idle);
    warn(setup.hardware.warnings);
    return setup;
}

}  // namespace mdsim
