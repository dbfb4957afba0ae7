// SPDX-License-Identifier: Apache-2.0
#include "io/text/fixed_number.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>

#include <fmt/format.h>

namespace mdsim {

namespace {

constexpr std::array powers{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
// Below this the product of value and power is within 1e-7 of the exact one, so that only a product this near to a half
// can be rounded the other way.
constexpr double largest = 5e8, near_half = 1e-6;

}  // namespace

void append_fixed(std::string& out, double value, int width, int decimals) {
    const double scaled = std::abs(value) * powers[static_cast<std::size_t>(decimals)];
    const double whole = std::floor(scaled), rest = scaled - whole;
    if (!(scaled < largest) || std::abs(rest - 0.5) < near_half) {
        fmt::format_to(std::back_inserter(out), "{:{}.{}f}", value, width, decimals);
        return;
    }
    auto number = static_cast<std::uint32_t>(whole) + (rest > 0.5 ? 1U : 0U);
    std::array<char, 32> text;
    std::size_t begin = text.size();
    for (int digit = 0; digit < decimals; ++digit, number /= 10) text[--begin] = static_cast<char>('0' + number % 10);
    if (decimals > 0) text[--begin] = '.';
    do {
        text[--begin] = static_cast<char>('0' + number % 10);
        number /= 10;
    } while (number != 0);
    if (std::signbit(value)) text[--begin] = '-';
    const std::size_t size = text.size() - begin;
    if (size < static_cast<std::size_t>(width)) out.append(static_cast<std::size_t>(width) - size, ' ');
    out.append(text.data() + begin, size);
}

}  // namespace mdsim
