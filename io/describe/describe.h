// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace mdsim {

/// Describes a file of any format that mdsim reads: "format" and, where the file has them, "title", "atoms",
/// "residues", "molecules", "charge" [e], "mass" [u], "box" (rows [nm]), "time" [ps], "frames" and more of each kind
/// of file. The whole file is read, so that a broken one is refused as by a run. Throws Error of the reader, and Error
/// (MD309) where the format is not known.
nlohmann::json describe_file(const std::filesystem::path& file);

/// The same for people: one line a fact.
std::string describe_text(const nlohmann::json& facts);

}  // namespace mdsim
