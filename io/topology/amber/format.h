// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace mdsim::amber {

/// A column range of a line.
struct Field {
    char kind = 'a';  ///< a: text, i: integer, f: real (FORTRAN's E, D, F, G)
    int width = 0;
};

/// The fields of one line by a FORTRAN format, e.g. "(10I8)", "(8(F9.5))", "(i2,a78)"; nothing where it is none.
std::optional<std::vector<Field>> parse_format(std::string_view format);

}  // namespace mdsim::amber
