// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/text/line_source.h"

namespace mdsim {

/// The words of a CIF file, one after the other, in constant memory.
/// Syntax: CIF 1.1 (S. R. Hall & B. McMahon (eds.), International Tables for Crystallography G, 2005, chapter 2.2).
class CifTokens {
  public:
    enum class Kind { end, data, save, loop, tag, value };

    /// Throws input errors: open_code where the file cannot be read, syntax_code with line and column where it is no
    /// CIF.
    CifTokens(const std::filesystem::path& file, std::string_view open_code, std::string syntax_code);

    Kind next();
    /// Of a block its name, of a tag the tag, of a value the value without quotes; until the next call.
    std::string_view text() const { return text_; }
    /// Whether the value stands for none: a bare dot or question mark.
    bool null() const { return null_; }
    int line() const { return lines_.number(); }
    int column() const { return static_cast<int>(start_) + 1; }
    void rewind();
    double progress() const { return lines_.progress(); }

  private:
    std::string file_, syntax_code_;
    LineSource lines_;
    std::string_view line_;
    std::size_t at_ = 0, start_ = 0;  // in the line: what comes next, and where the word began
    std::string_view text_;
    std::string field_;  // text of several lines
    bool null_ = false;

    [[noreturn]] void refuse(const char* what) const;
    bool skip_blanks();
    Kind quoted(char quote);
    Kind text_field();
    Kind word();
};

}  // namespace mdsim
