// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analyse/measure.h"
#include "io/output/append_file.h"

namespace mdsim {

/// A table in comma-separated values that is written row by row, to a file or (no path) to standard output. A file has
/// its name only when it is complete; one that was there is kept under another name.
class TableFile {
  public:
    TableFile(std::filesystem::path path, const std::vector<std::string>& columns);
    TableFile(TableFile&&) = default;
    TableFile& operator=(TableFile&&) = delete;
    /// What is not complete goes.
    ~TableFile();

    void add(const std::vector<analyse::Row>& rows);
    void finish();

  private:
    std::filesystem::path path_;
    std::unique_ptr<AppendFile> file_;  // null: standard output, or finished

    std::filesystem::path unfinished() const { return path_.string() + ".unfinished"; }
    void write(const std::string& line);
};

}  // namespace mdsim
