// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.h"
#include "io/input/input.h"

namespace mdsim {

/// The first trajectory has a topology for viewers beside it, and each other one that selects other atoms.
bool has_own_topology(const OutputInput& output, std::size_t entry);

/// Names of all files of a run, for moving aside and for messages.
struct RunPaths {
    std::filesystem::path directory;
    std::string name;
    explicit RunPaths(const OutputInput& output) : directory(output.directory), name(output.name) {}

    std::filesystem::path file(const std::string& suffix) const { return directory / (name + suffix); }
    std::filesystem::path map(std::size_t entry, MapFormat format) const;
    CheckpointPaths checkpoint() const { return {directory, name}; }
    std::filesystem::path lock() const { return file(".lock"); }
    /// Of a trajectory by its place in the input: NAME.h5, NAME.2.h5, ...
    std::filesystem::path of_entry(std::size_t entry, const std::string& suffix) const;
    std::filesystem::path trajectory(std::size_t entry, TrajectoryFormat format) const;
    std::vector<std::filesystem::path> all(const OutputInput& output) const;
};

}  // namespace mdsim
