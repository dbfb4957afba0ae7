// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim::selection {

enum class Op {
    all,
    none,
    protein,
    backbone,
    water,
    ions,
    name,
    resname,
    element,
    resid,
    index,
    op_not,
    op_and,
    op_or
};

struct Span {
    std::int64_t first, last;
};

/// One step of a program in postfix order: leaves push a truth value, operators combine those on the stack.
struct Step {
    Op op;
    std::vector<std::string> words{};
    std::vector<Span> spans{};
};

/// The program of a selection's text. Throws SelectionError where it does not follow the grammar.
std::vector<Step> parse(std::string_view text);

}  // namespace mdsim::selection
