// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>

/// The folder of reference data (MDSIM_REFDATA, or shared/refdata beside the checkout), or nothing; then the caller's
/// test is skipped and this says so.
inline std::optional<std::filesystem::path> reference_data(const char* what_is_skipped) {
    const char* given = std::getenv("MDSIM_REFDATA");
    const std::filesystem::path path = given != nullptr
                                           ? std::filesystem::path(given)
                                           : std::filesystem::path(MDSIM_SOURCE_DIR) / ".." / "shared" / "refdata";
    if (std::filesystem::exists(path / "README.md")) return path;
    std::cout << "skipped: " << what_is_skipped << " (no reference data; set MDSIM_REFDATA)\n";
    return std::nullopt;
}
