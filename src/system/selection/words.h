// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "system/selection/program.h"

namespace mdsim::selection {

/// A word of the grammar and what it stands for.
struct Keyword {
    std::string_view word;
    Op op;
};
/// Null where the grammar has no such word.
const Keyword* find_keyword(std::string_view word);

/// "the words are all, none, ..."
std::string known_words();

/// What to write in the place of a word that the grammar does not have: the nearest one, or the one that other programs
/// call so; known_words() where nothing is near.
std::string remedy_for(std::string_view unknown);

/// Whether a text is that of the pattern, in which * stands for any letters and ? for one.
bool matches(std::string_view pattern, std::string_view text);

/// The name of `known` that is nearest to a word in which letters are wrong or missing, in any case; empty where none
/// is near.
std::string nearest_name(std::string_view word, std::span<const std::string> known);

}  // namespace mdsim::selection
