// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "parallel/threads.h"
#include "run/commands/commands.h"
#include "run/setup.h"

namespace mdsim {

namespace {

void take_threads(Input& input, int threads) {
    input.hardware.threads = threads;
    for (SettingLine& line : input.settings) {
        if (line.key != "hardware.threads") continue;
        line.value = std::to_string(threads);
        line.origin = "--threads";
    }
}

}  // namespace

Setup open_setup(const CommonOptions& options) {
    Input input = read_input(options.input, options.overrides);
    if (options.threads > 0) take_threads(input, options.threads);
    set_thread_count(input.hardware.threads);
    return read_setup(std::move(input));
}

}  // namespace mdsim
