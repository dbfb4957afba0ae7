// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>
#include <iterator>

#include <fmt/format.h>

namespace mdsim {

/// A text file that is written once from start to end, in large pieces, and is there entirely or not at all: the pieces
/// go to FILE.new, which close() flushes to the disk and renames, and which is removed where it is not called. Throws
/// an io error (MD391) where writing fails.
class TextOutput {
  public:
    explicit TextOutput(const std::filesystem::path& file);
    TextOutput(const TextOutput&) = delete;
    TextOutput& operator=(const TextOutput&) = delete;
    ~TextOutput();

    template <class... Values>
    void print(fmt::format_string<Values...> format, Values&&... values) {
        fmt::format_to(std::back_inserter(buffer_), format, std::forward<Values>(values)...);
        if (buffer_.size() > piece) flush();
    }
    void close();

  private:
    static constexpr std::size_t piece = std::size_t{1} << 20;
    void flush();
    [[noreturn]] void fail() const;

    std::filesystem::path file_, fresh_;
    std::FILE* stream_;
    fmt::memory_buffer buffer_;
};

}  // namespace mdsim
