// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace mdsim {

/// The bytes of a text file, a UTF-8 mark at its start left out. Throws an input error with `code` where the file
/// cannot be read, is empty, or is no plain text (UTF-16, NUL bytes).
std::string read_text_file(const std::filesystem::path& file, std::string_view code);

/// Throws an input error with `code` where a piece of a file, `before` bytes behind its start, is no plain text.
void require_text(const std::filesystem::path& file, std::string_view code, std::string_view piece,
                  std::uint64_t before = 0);

/// Walks through text line by line; line ends of any system are not part of a line.
class LineReader {
  public:
    explicit LineReader(std::string_view text, int first_number = 1) : rest_(text), number_(first_number - 1) {}

    /// The next line; false at the end of the text.
    bool next(std::string_view& line);
    /// Number of the line that next() gave last.
    int number() const { return number_; }
    /// What follows that line.
    std::string_view rest() const { return rest_; }

  private:
    std::string_view rest_;
    int number_;
};

/// The text without blanks at its ends.
std::string_view without_blanks(std::string_view text);

/// Reads the number that fills `field`, blanks at its ends aside; exponents may begin with d or D as FORTRAN writes
/// them. Returns npos when there is such a number, else the position in `field` of the character that spoils it.
/// What is no finite number of the type is spoiled at its first character.
std::size_t parse_number(std::string_view field, double& value);
std::size_t parse_number(std::string_view field, int& value);

}  // namespace mdsim
