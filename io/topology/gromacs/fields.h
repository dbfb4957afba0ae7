// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mdsim::gromacs {

/// The text without blanks at its ends.
std::string_view trim(std::string_view text);
/// Pieces between blanks; they point into text.
std::vector<std::string_view> split(std::string_view text);
/// A whole finite number, nothing behind it.
std::optional<double> to_number(std::string_view text);
std::optional<int> to_integer(std::string_view text);
/// Upper and lower case, '-' and '_' make no difference, as in GROMACS' names of directives.
bool same_name(std::string_view a, std::string_view b);

}  // namespace mdsim::gromacs
