// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/error.h"

namespace mdsim::gromacs {

/// Where something stood: number of the file in the Report and line, from 1.
struct Origin {
    int file = 0;
    int line = 0;
};

/// Names of the files that a topology consists of, and what is wrong in them.
class Report {
  public:
    /// Remembers a name for messages; returns its number.
    int add_file(std::string name);
    const std::string& file_name(int file) const { return files_[static_cast<std::size_t>(file)]; }
    /// "ions.itp:12", for mentioning a second place in a message.
    std::string describe(Origin origin) const;

    /// Only the first few problems are kept, the rest is counted: one wrong include can spoil thousands of lines.
    void add(Origin origin, std::string code, std::string what, std::string why = {}, std::string remedy = {});
    bool empty() const { return problems_.empty(); }
    void throw_if_any();

  private:
    std::vector<std::string> files_;
    Problems problems_;
    std::size_t left_out_ = 0;
};

}  // namespace mdsim::gromacs
