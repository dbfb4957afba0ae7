// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string_view>

#include "io/input/keys/quantity.h"

namespace mdsim::inp {

/// The form of a key's value.
enum class Kind {
    text,
    selection,     ///< text that must be a selection
    selections,    ///< a list of such texts
    file,          ///< path of a file that must exist
    folder,        ///< path
    flag,          ///< true | false
    integer,       ///< whole number
    number,        ///< number without unit
    quantity,      ///< "0.9 nm"
    choice,        ///< one word of KeySpec::choices
    choices,       ///< a list of such words, or one
    texts,         ///< a list of texts, or one
    folders,       ///< a list of paths, or one
    three_counts,  ///< [n, n, n]
    point,         ///< three quantities
    box,           ///< three lengths, or nine (rows of the box matrix)
    temperature,   ///< "300 K" or { from, to }
    cadence,       ///< a time or "N steps"
    wall_cadence,  ///< the same, or a wall-clock time
    gpu,           ///< a word of choices, or a list of device numbers
    count,         ///< a word of choices, or a whole number
    coulomb,       ///< a word of choices, or a quantity
    reference,     ///< a word of choices, or a file
    table,         ///< holds keys of its own
    tables,        ///< one or several of these: { } or [[ ]]
};

/// May a key change when a run is continued?
enum class Change { refused, allowed };

/// Allowed values of numbers and quantities, in internal units.
struct Range {
    double least = -std::numeric_limits<double>::infinity();
    double most = std::numeric_limits<double>::infinity();
    bool above_least = false;  ///< least itself is not allowed
};

/// One row of the table of keys, which drives parsing, defaults, units, --check, the comparison on continuing and
/// docs/input_reference.md.
struct KeySpec {
    std::string_view path;  ///< "forces.cutoff"; keys of a stage "stage.duration"
    Kind kind = Kind::text;
    Dimension dimension = Dimension::none;
    std::string_view fallback{};       ///< default in TOML; empty: none
    std::string_view fallback_note{};  ///< what happens without the key, in words, where there is no fixed default
    std::string_view example{};        ///< of a quantity; its unit is the one that messages suggest
    std::string_view choices{};        ///< "a|b|c"
    std::string_view later{};          ///< choices of a later version, "a|b"
    Range range{};
    std::string_view instead{};  ///< what to use instead of those
    bool required = false;
    /// "key" or "key=value|value": another key of the same table without which this one has no effect.
    std::string_view needs{};
    bool strict = false;  ///< giving the key without what it needs is an error, not a note
    Change change = Change::refused;
    std::string_view meaning{};  ///< one line for the reference

    /// Last word of the path.
    std::string_view name() const { return path.substr(path.rfind('.') + 1); }
    /// Path of the table that holds the key, empty for the root.
    std::string_view table() const {
        const std::size_t dot = path.rfind('.');
        return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
    }
};

/// The table of keys, in the order of the reference.
std::span<const KeySpec> key_table();
/// Null where there is no such path.
const KeySpec* find_key(std::string_view path);
/// The words of "a|b|c".
std::vector<std::string_view> words_of(std::string_view list);

}  // namespace mdsim::inp
