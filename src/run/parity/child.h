// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim::parity {

/// A new folder that is removed with all that is in it.
class ScratchFolder {
  public:
    /// In the system's folder for temporary files. Error MD601 where none can be made.
    ScratchFolder();
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    /// A file in it. Error MD601 where it cannot be written.
    void write(const std::string& name, std::string_view text) const;
    /// Error MD601 where it cannot be read.
    std::string read(const std::string& name) const;

  private:
    std::filesystem::path path_;
};

/// The first of these names that can be executed: a path, or searched along PATH.
std::optional<std::filesystem::path> find_program(const std::vector<std::string>& names);

struct Ended {
    int code = 0;      ///< 128 + n after signal n
    std::string text;  ///< of both standard streams
};
/// Runs a command in the folder to its end, with one thread of OpenMP and `input` on its standard input. Throws an
/// internal std::system_error where it cannot be started.
Ended run_in(const ScratchFolder& folder, const std::vector<std::string>& command, std::string_view input = {});

/// The last lines of a text, so many at most, each after four blanks.
std::string last_lines(const std::string& text, std::size_t count);

}  // namespace mdsim::parity
