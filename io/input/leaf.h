// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/input/document.h"
#include "io/input/keys/keys.h"

namespace mdsim::inp {

/// The value of one key in internal units; which members are used follows from its Kind.
struct Datum {
    bool flag = false;
    std::vector<std::int64_t> integers;  ///< integer, three_counts, gpu; steps of a cadence
    std::vector<double> numbers;         ///< number, quantity, temperature (from, to), box (3 or 9), time of a cadence
    std::vector<std::string> texts;      ///< text and all kinds of words
    Dimension dimension = Dimension::none;  ///< of a cadence: time, wall_time or steps

    friend bool operator==(const Datum&, const Datum&) = default;
};

/// Reads `value` as the form of `spec` wants it. Adds to problems and returns false where it cannot be.
/// key: as messages name it ("forces.cutoff").
bool read_leaf(const KeySpec& spec, const Value& value, const std::string& key, Datum& out, Problems& problems);

/// The value in TOML that read_leaf reads again, quantities in internal units.
std::string leaf_text(const KeySpec& spec, const Datum& datum);

}  // namespace mdsim::inp
