// SPDX-License-Identifier: Apache-2.0
#include "parallel/threads.h"
#include "run/commands/commands.h"
#include "run/setup.h"

namespace mdsim {

Setup open_setup(const CommonOptions& options) {
    Input input = read_input(options.input, options.overrides);
    if (options.threads > 0) input.hardware.threads = options.threads;
    set_thread_count(input.hardware.threads);
    return read_setup(std::move(input));
}

}  // namespace mdsim
