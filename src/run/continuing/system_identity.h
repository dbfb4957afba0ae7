// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "system/structure.h"
#include "system/topology.h"

namespace mdsim {

/// One part of what a run is about, as a file gave it.
struct IdentityPart {
    std::string name;            ///< "molecule type 2 (SOL)", the same in a checkpoint and in a message
    std::filesystem::path file;  ///< where it was read
    std::uint64_t checksum = 0;  ///< of the values that were read
};

/// What a run is begun with, part by part, so that a continuation notices a file that has changed since.
///
/// Checksums are over values after reading, not over files: a comment, a moved folder, another order of atom types or a
/// molecule type that is not used changes nothing, and an edited #included file is noticed wherever it was found. They
/// are taken before anything is prepared from the values: what happens then follows from the input, which is compared
/// by itself.
using SystemIdentity = std::vector<IdentityPart>;

/// Non-bonded parameters, each molecule type that occurs, and how the molecules follow each other.
void identify_topology(SystemIdentity& identity, const Topology& topology, const std::filesystem::path& file);
/// Positions, velocities and box.
void identify_coordinates(SystemIdentity& identity, const Structure& structure, const std::filesystem::path& file);
/// Positions and box of a file that a restraint refers to; `user` names the restraint.
void identify_reference(SystemIdentity& identity, const Structure& structure, const std::filesystem::path& file,
                        const std::string& user);

/// As a checkpoint stores it: name -> checksum.
std::map<std::string, std::uint64_t> checksums_of(const SystemIdentity& identity);

/// Throws MD409 with the parts that differ, by file, and the way out (--restart). Parts that only `now` has belong to
/// appended stages.
void require_same_system(const std::map<std::string, std::uint64_t>& stored, const SystemIdentity& now);

}  // namespace mdsim
