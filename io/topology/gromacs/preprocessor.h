// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/topology/gromacs.h"
#include "io/topology/gromacs/report.h"

namespace mdsim::gromacs {

/// A line with content: continuations joined, macros expanded, comment and blanks at the ends removed.
struct Line {
    std::string text;
    Origin origin;  ///< of its first piece
};

/// Reads a topology and what it includes line by line, as GROMACS' own preprocessor does: #include, #define, #undef,
/// #ifdef, #ifndef, #else, #endif, #error; a backslash at the end joins the next line; ';' begins a comment.
/// Included files are searched beside the including file, in the include path, beside the topology, in GMXLIB and in
/// GROMACS' data folders. Files that cannot be used end with Error at once; other problems go to the report.
class Preprocessor {
  public:
    Preprocessor(const std::filesystem::path& top, const GromacsOptions& options, Report& report);

    /// The next line that is not empty; false at the end of the topology.
    bool next(Line& line);
    bool defined(std::string_view name) const { return macros_.find(std::string(name)) != macros_.end(); }

  private:
    struct File {
        std::filesystem::path path;
        std::string text;
        std::size_t position = 0;
        int line = 0;    // of the last line read
        int number = 0;  // in the report
    };
    /// An #ifdef or #ifndef that is open.
    struct Condition {
        std::string text;
        Origin origin;
        std::size_t depth = 0;  // number of files open at that place
        bool outer_taken = true;
        bool taken = true;
        bool has_else = false;
    };

    void open(const std::filesystem::path& path, std::optional<Origin> from);
    void close_file();
    void read_joined(std::string& text, Origin& origin);
    bool taken() const { return conditions_.empty() || (conditions_.back().outer_taken && conditions_.back().taken); }

    void directive(std::string_view text, Origin origin);
    void condition(std::string_view word, std::string_view argument, Origin origin);
    void define(std::string_view argument, Origin origin);
    void include(std::string_view argument, Origin origin);
    std::vector<std::filesystem::path> folders() const;

    std::string expand(std::string_view text, Origin origin, int depth) const;

    Report& report_;
    std::vector<std::filesystem::path> include_path_;
    std::unordered_map<std::string, std::string> macros_;
    bool has_values_ = false;  // whether any macro stands for a text
    std::vector<File> files_;  // the stack of open files
    std::vector<Condition> conditions_;
};

}  // namespace mdsim::gromacs
