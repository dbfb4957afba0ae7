// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "io/text/line_source.h"

namespace mdsim::charmm {

/// Letters in upper case, as CHARMM compares them.
std::string upper(std::string_view text);

/// A line of a CHARMM file with the lines that continue it, comments left out.
struct Statement {
    std::vector<std::string> words;  ///< as they are written
    std::vector<std::string> upper;  ///< in upper case
    std::vector<Place> places;       ///< of the words
    int line = 0;                    ///< where it begins
};

/// A CHARMM parameter, topology or stream file statement by statement: "!" begins a comment, "-" at the end of a line
/// continues it. Statements of a star are titles and are left out only where titles are due: at the beginning and after
/// skip_title(). Throws Error (MD233) where the file cannot be read, or ends in a continuation.
class Statements {
  public:
    explicit Statements(const std::filesystem::path& file) : file_(file.string()), lines_(file, "MD233") {}

    bool next(Statement& out);
    /// The next lines with a star are a title.
    void skip_title() { in_title_ = true; }
    const std::string& file() const { return file_; }

    /// Throws MD233 for a word of a statement.
    [[noreturn]] static void refuse(const Place& where, std::string what, std::string why = {},
                                    std::string remedy = {});
    /// Throws MD235, for what mdsim does not compute.
    [[noreturn]] static void refuse_feature(const Place& where, std::string what, std::string why, std::string remedy);

  private:
    bool add_words(std::string_view line, Statement& out) const;

    std::string file_;
    LineSource lines_;
    bool in_title_ = true;
};

}  // namespace mdsim::charmm
