// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace mdsim {

/// Levenshtein's distance of two names: insertions, deletions and replacements of a letter. For "did you mean".
std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace mdsim
