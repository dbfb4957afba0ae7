// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace mdsim {

/// A text file that is read line by line, with one piece of it in memory at a time. Throws an input error with `code`
/// where the file cannot be read, or is no plain text (UTF-16, NUL bytes).
class LineSource {
  public:
    LineSource(const std::filesystem::path& file, std::string_view code);

    /// The next line, without its end, valid until the next call; false at the end of the file.
    bool next(std::string_view& line);
    /// Whether nothing but blanks is left.
    bool only_blanks_left();
    /// Number of the line that next() gave last, from 1.
    int number() const { return number_; }
    /// From the first line on again.
    void rewind();

    std::uint64_t size() const { return size_; }
    /// Share of the file that lies behind, from 0 to 1.
    double progress() const;

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::filesystem::path file_;
    std::string code_;
    std::unique_ptr<std::FILE, Close> stream_;
    std::uint64_t size_ = 0;
    std::uint64_t read_ = 0;  // of the file so far
    std::string buffer_;
    std::size_t at_ = 0;  // in the buffer
    int number_ = 0;

    bool more();
};

}  // namespace mdsim
