// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/output/append_file.h"
#include "system/state.h"

namespace mdsim {

/// Everything from which a run continues with the same bits.
struct Checkpoint {
    State state;
    std::string input;  ///< canonical text of the .inp with all overrides
    std::uint64_t seed = 0;
    std::int64_t stage = 0;  ///< index of the stage that was running, or the number of stages when all are done
    std::int64_t stage_start_step = 0;
    double stage_start_time = 0.0;  ///< [ps]
    std::vector<OutputMark> outputs;
    /// Checksums of topology and coordinates as they were when the run was begun, by name.
    std::map<std::string, std::uint64_t> system;
    /// What a part of the program wants to find again, by name (minimiser, restraint references).
    std::map<std::string, std::vector<double>> numbers;
};

/// NAME.checkpoint.h5 and NAME.checkpoint.previous.h5.
struct CheckpointPaths {
    std::filesystem::path newest, previous;
    CheckpointPaths(const std::filesystem::path& directory, const std::string& name)
        : newest(directory / (name + ".checkpoint.h5")), previous(directory / (name + ".checkpoint.previous.h5")) {}
};

/// Writes to a new file, flushes it to disk, makes the newest the previous one and renames the new file to the newest.
/// At every moment one of the two is whole. Errors: exit code 74, both are as they were.
void write_checkpoint(const CheckpointPaths& paths, const Checkpoint& checkpoint);

/// The newest checkpoint that can be read; an unreadable newest one is named in `warnings`, with the reason, and the
/// older one is taken. Nothing where there is none; MD605 (exit code 74) where there are some and none can be read.
std::optional<Checkpoint> read_checkpoint(const CheckpointPaths& paths, std::vector<std::string>& warnings);

/// Whether a file that begins like this says that it is a checkpoint, whole or not.
bool is_checkpoint(std::string_view first_bytes);

/// One file: HDF5 behind a user block of 512 bytes that has a checksum of the whole file, tested before anything else.
/// Errors: exit code 74 where it is no whole checkpoint.
Checkpoint read_checkpoint_file(const std::filesystem::path& path);

}  // namespace mdsim
