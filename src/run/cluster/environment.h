// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string_view>

namespace mdsim {

/// getenv: null where a variable is not set.
using Environment = std::function<const char*(const char*)>;

/// That of this process.
Environment this_environment();

/// A whole number from 0 to `most`; none where the text is anything else.
std::optional<int> number_in(std::string_view text, int most = std::numeric_limits<int>::max());
/// The same of a variable.
std::optional<int> number_of(const Environment& environment, const char* name,
                             int most = std::numeric_limits<int>::max());

}  // namespace mdsim
