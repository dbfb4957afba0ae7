// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "run/plan/layout.h"

namespace mdsim {

/// What a Slurm script of a run needs to know.
struct BatchJob {
    std::string name;                    ///< of the run, for job and log
    std::filesystem::path input;         ///< as it was given
    std::filesystem::path log;           ///< NAME.log, where the run says that it has finished
    std::vector<std::string> overrides;  ///< KEY=VALUE, as given to --set
    Layout layout;
};

/// The script, with examples/slurm/until_finished.sh in it: the job is queued again until the run has finished.
std::string batch_script(const BatchJob& job);

/// A text as one word of bash.
std::string quoted(const std::string& text);

}  // namespace mdsim
