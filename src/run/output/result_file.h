// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/error.h"
#include "io/input/input.h"

namespace mdsim {

/// Adds MD609 for each file that the input reads and that is this one, which would be written. remedy: another name.
void add_inputs_at(const std::filesystem::path& path, const Input& input, const std::string& remedy,
                   Problems& problems);

/// A file that a command leaves at its end, named by an option. What was there is kept under another name; into a
/// device or pipe the bytes just go.
class ResultFile {
  public:
    /// Before the work is done: throws MD609 where the input reads this file, and ends with exit code 74 (MD601) where
    /// it cannot be written. option: "--trace".
    ResultFile(std::filesystem::path path, const std::string& option, const Input& input);

    void write(std::string_view bytes) const;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace mdsim
