// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/fields.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

namespace mdsim::gromacs {

namespace {

constexpr std::string_view blanks = " \t\v\f\r\n";

template <class T>
std::optional<T> parse(std::string_view text) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    T value{};
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || text.empty()) return std::nullopt;
    return value;
}

std::string plain(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c != '-' && c != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

}  // namespace

std::string_view trim(std::string_view text) {
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t begin = text.find_first_not_of(blanks);
    while (begin != std::string_view::npos) {
        const std::size_t end = text.find_first_of(blanks, begin);
        out.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
        begin = end == std::string_view::npos ? end : text.find_first_not_of(blanks, end);
    }
    return out;
}

std::optional<double> to_number(std::string_view text) {
    const auto value = parse<double>(text);
    if (value && !std::isfinite(*value)) return std::nullopt;
    return value;
}

std::optional<int> to_integer(std::string_view text) {
    return parse<int>(text);
}

bool same_name(std::string_view a, std::string_view b) {
    return plain(a) == plain(b);
}

}  // namespace mdsim::gromacs
