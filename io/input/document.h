// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"

namespace mdsim::inp {

/// A node of a TOML document with its place in the file. The only user of toml++ is document.cpp.
struct Value {
    enum class Kind { flag, integer, real, text, list, table, date };
    Kind kind = Kind::table;
    bool flag = false;
    std::int64_t integer = 0;
    double real = 0.0;
    std::string text;
    std::string name;          ///< its key, where it is in a table
    Place place;               ///< of the key where it has one, else of the value
    std::vector<Value> items;  ///< of a list or table, in file order

    const Value* find(std::string_view key) const;
    bool is_number() const { return kind == Kind::integer || kind == Kind::real; }
    double number() const { return kind == Kind::integer ? static_cast<double>(integer) : real; }
};

/// Throws MD100 with line and column where text is not TOML.
Value parse_document(std::string_view text, const std::string& file);

/// Of one value in TOML, such as `"0.9 nm"`.
Value parse_value(std::string_view toml, const std::string& file);

/// Applies KEY=VALUE of --set to a document: dotted keys, `stage.NAME.KEY` by the stage's name.
void apply_override(Value& root, const std::string& assignment, Problems& problems);

/// Puts `value` at root.section.key, in place of what is there.
void set_key(Value& root, std::string_view section, Value value);

/// A value as one would write it in a file, for messages.
std::string to_toml(const Value& value);
/// Text in TOML's quotes, escaped.
std::string in_quotes(std::string_view text);

/// The candidate nearest to `word` by edit distance; empty where none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace mdsim::inp
