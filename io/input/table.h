// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/input/leaf.h"

namespace mdsim::inp {

/// A key in force.
struct Setting {
    const KeySpec* spec = nullptr;
    Datum datum;
    Place place;
    bool given = false;      ///< by file, --set or MDSIM_SEED
    bool has_value = false;  ///< false where mdsim chooses later, or where what was given is wrong
    bool used = true;        ///< false where another key makes this one meaningless
};

/// A table of the input with every key that applies: what was given, and defaults.
struct Table {
    const KeySpec* spec = nullptr;  ///< null for the root
    std::string key;                ///< "stage.produce", empty for the root
    Place place;
    std::vector<Setting> settings;
    std::vector<Table> tables;

    const Setting* find(std::string_view name) const;
    const Table* child(std::string_view name) const;
    std::vector<const Table*> children(std::string_view name) const;
    std::string full_key(std::string_view name) const;

    /// Has a value that counts.
    bool has(std::string_view name) const;
    bool given(std::string_view name) const;
    Place place_of(std::string_view name) const;  ///< that of the table where the key is absent

    // Values; of a key without one (after a problem): zero or empty.
    bool flag(std::string_view name) const { return datum(name).flag; }
    std::string text(std::string_view name) const;
    const std::vector<std::string>& texts(std::string_view name) const { return datum(name).texts; }
    double number(std::string_view name) const;
    const std::vector<double>& numbers(std::string_view name) const { return datum(name).numbers; }
    std::int64_t integer(std::string_view name) const;
    const std::vector<std::int64_t>& integers(std::string_view name) const { return datum(name).integers; }
    const Datum& datum(std::string_view name) const;
};

/// Reads a document by the table of keys. stem: the default of output.name.
Table resolve(const Value& document, const std::string& stem, Problems& problems);

/// All keys in force as TOML that resolves to the same table.
std::string canonical_text(const Table& root);

}  // namespace mdsim::inp
