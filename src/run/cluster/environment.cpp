// SPDX-License-Identifier: Apache-2.0
#include "run/cluster/environment.h"

#include <charconv>
#include <cstdlib>

namespace mdsim {

Environment this_environment() {
    return [](const char* name) { return std::getenv(name); };
}

std::optional<int> number_in(std::string_view text, int most) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0 || number > most) return std::nullopt;
    return number;
}

std::optional<int> number_of(const Environment& environment, const char* name, int most) {
    const char* value = environment(name);
    return value == nullptr ? std::nullopt : number_in(value, most);
}

}  // namespace mdsim
