// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace mdsim {

/// Reads some columns of NAME.energies.csv, by their names without unit ("temperature"). A last line that is not yet
/// written to its end is left out. A column that the table does not have comes back empty.
/// last_bytes: only rows that begin in so many bytes at the end of the file; 0: all of them.
/// Errors: exit code 74 where the file cannot be read.
std::vector<std::vector<double>> read_energies(const std::filesystem::path& path, const std::vector<std::string>& names,
                                               std::uint64_t last_bytes = 0);

}  // namespace mdsim
