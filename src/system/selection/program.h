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
    chain,
    molecule,
    element,
    resid,
    index,
    within,
    same_residue,
    same_molecule,
    op_not,
    op_and,
    op_or
};

struct Span {
    std::int64_t first, last;
};

/// A name or pattern, and where it stands in the text, from 1.
struct Word {
    std::string text;
    std::size_t column;
};

/// One step of a program in postfix order: leaves push a set of atoms, operators change or combine those on the stack.
struct Step {
    Op op;
    std::size_t column = 0;  ///< of its word in the text, from 1
    std::vector<Word> words{};
    std::vector<Span> spans{};
    double distance = 0.0;  ///< of within [nm]
};

/// The program of a selection's text. Throws SelectionError where it does not follow the grammar.
std::vector<Step> parse(std::string_view text);

}  // namespace mdsim::selection
