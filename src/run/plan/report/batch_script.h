// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "io/input/input.h"
#include "run/plan/layout.h"

namespace mdsim {

/// What a Slurm script of a run needs to know.
struct BatchJob {
    std::string name;             ///< of the run, for job and log
    std::filesystem::path input;  ///< as it was given
    std::filesystem::path log;    ///< NAME.log, where the run says that it has finished
    Layout layout;
};
BatchJob batch_job(const Input& input, const Layout& layout);

/// The script, of the form of examples/slurm: the run stops in time with a checkpoint and exit code 75, and the job is
/// queued again; only mdsim's own log says that it has finished.
std::string batch_script(const BatchJob& job);

/// A text as one word of bash.
std::string quoted(const std::string& text);

}  // namespace mdsim
