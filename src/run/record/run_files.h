// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "run/output/writing/run_paths.h"

namespace mdsim {

/// Finds the files of a run by what a user calls it: its .inp, its folder, the common beginning of its files'
/// names ("out/protein"), or one of the files. Nothing where there is no log by that name.
std::optional<RunPaths> find_run(const std::filesystem::path& run);

/// The same, or an input error MD118 that says where it was looked for.
RunPaths require_run(const std::filesystem::path& run);

/// What the newest whole checkpoint of a run says.
struct LastCheckpoint {
    Input input;  ///< relative paths as they were when it ran, which the log says
    std::int64_t step = 0;
    double time = 0.0;  ///< [ps]
    bool all_done = false;
};
/// Nothing where none can be read.
std::optional<LastCheckpoint> last_checkpoint(const RunPaths& paths);

}  // namespace mdsim
