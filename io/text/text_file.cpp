// SPDX-License-Identifier: Apache-2.0
#include "io/text/text_file.h"

#include <charconv>
#include <cmath>
#include <fstream>

#include "core/error.h"

namespace mdsim {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view code, std::string what,
                         std::string remedy) {
    throw_input_error({.code = std::string(code),
                       .place = {file.string(), 0, 0},
                       .what = std::move(what),
                       .why = {},
                       .remedy = std::move(remedy)});
}

template <class T>
std::size_t parse(std::string_view field, T& value) {
    const std::string_view word = without_blanks(field);
    if (word.empty()) return 0;
    const std::size_t start = static_cast<std::size_t>(word.data() - field.data());
    const char* first = word.data() + (word.front() == '+' ? 1 : 0);
    const char* last = word.data() + word.size();
    const auto [stop, error] = std::from_chars(first, last, value);
    if (error != std::errc{}) return start;
    if constexpr (std::is_floating_point_v<T>) {
        if (!std::isfinite(value)) return start;
    }
    return stop == last ? std::string_view::npos : start + static_cast<std::size_t>(stop - word.data());
}

}  // namespace

void require_text(const std::filesystem::path& file, std::string_view code, std::string_view piece,
                  std::uint64_t before) {
    if (before == 0 && (piece.starts_with("\xff\xfe") || piece.starts_with("\xfe\xff"))) {
        refuse(file, code, "the file is text in UTF-16, not in plain ASCII", "save it as plain text (ASCII or UTF-8)");
    }
    const std::size_t nul = piece.find('\0');
    if (nul != std::string_view::npos) {
        refuse(file, code, "the file is binary (a NUL byte at byte " + std::to_string(before + nul + 1) + "), not text",
               "check that this is the right file and that its name ends as its format does");
    }
}

std::string read_text_file(const std::filesystem::path& file, std::string_view code) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) refuse(file, code, "this is a folder, not a file", {});
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    if (!in) {
        refuse(file, code, std::filesystem::exists(file, error) ? "the file cannot be opened" : "there is no such file",
               "check the name and the folder; paths in an input file count from its own folder");
    }
    const std::streamoff size = in.tellg();
    if (size == 0) refuse(file, code, "the file is empty", {});
    std::string text(static_cast<std::size_t>(std::max<std::streamoff>(size, 0)), '\0');
    in.seekg(0);
    if (size < 0 || !in.read(text.data(), size)) refuse(file, code, "the file cannot be read", {});
    require_text(file, code, text);
    if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
    return text;
}

bool LineReader::next(std::string_view& line) {
    if (rest_.empty()) return false;
    const std::size_t end = rest_.find('\n');
    line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    ++number_;
    return true;
}

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view{}
                                           : text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::size_t parse_number(std::string_view field, double& value) {
    const std::size_t exponent = field.find_first_of("dD");
    if (exponent == std::string_view::npos || exponent == 0 || field.size() > 64) return parse(field, value);
    std::string copy(field);
    copy[exponent] = 'E';
    return parse(std::string_view(copy), value);
}

std::size_t parse_number(std::string_view field, int& value) {
    return parse(field, value);
}

}  // namespace mdsim
