// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace mdsim {

class Box;

/// What tells a file's format: its name and its first bytes.
struct FileHead {
    std::filesystem::path file;
    std::string ending;  ///< of the name, in lower case, ".gro"
    std::string bytes;   ///< the first 1024, fewer where the file is shorter
};

/// A kind of file that can be described. To add one, write these two functions and a line in the table of
/// describe.cpp; the first kind that recognises a file describes it.
struct FileKind {
    bool (*recognises)(const FileHead& head);
    nlohmann::json (*describe)(const FileHead& head);
};

bool is_topology(const FileHead& head);
nlohmann::json describe_topology(const FileHead& head);
/// CHARMM's parameter and topology files and streams.
bool is_charmm_parameters(const FileHead& head);
nlohmann::json describe_charmm_parameters(const FileHead& head);
bool is_structure(const FileHead& head);
nlohmann::json describe_structure(const FileHead& head);

bool is_checkpoint_file(const FileHead& head);
nlohmann::json describe_checkpoint(const FileHead& head);
/// Trajectories; HDF5 files by their first bytes, others by their names.
bool is_trajectory(const FileHead& head);
nlohmann::json describe_trajectory(const FileHead& head);

/// Rows of the box [nm].
nlohmann::json box_to_json(const Box& box);

}  // namespace mdsim
