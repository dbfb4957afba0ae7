// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "io/input/leaf.h"

namespace mdsim::inp {

namespace {

std::string quantity_text(double number, Dimension dimension) {
    return fmt::format("\"{} {}\"", number, internal_unit(dimension));
}

std::string list_of(const std::vector<std::string>& parts) {
    return fmt::format("[{}]", join(parts, ", "));
}

std::string quantities_text(const Datum& datum, Dimension dimension) {
    std::vector<std::string> parts;
    for (const double number : datum.numbers) parts.push_back(quantity_text(number, dimension));
    return list_of(parts);
}

std::string temperature_text(const Datum& datum) {
    std::string from = quantity_text(datum.numbers[0], Dimension::temperature);
    if (datum.numbers[0] == datum.numbers[1]) return from;
    return fmt::format("{{ from = {}, to = {} }}", from, quantity_text(datum.numbers[1], Dimension::temperature));
}

std::string texts_text(const Datum& datum) {
    std::vector<std::string> parts;
    for (const std::string& text : datum.texts) parts.push_back(in_quotes(text));
    return list_of(parts);
}

std::string numbers_text(const Datum& datum) {
    std::vector<std::string> parts;
    for (const std::int64_t number : datum.integers) parts.push_back(fmt::format("{}", number));
    return list_of(parts);
}

}  // namespace

std::string leaf_text(const KeySpec& spec, const Datum& datum) {
    switch (spec.kind) {
        case Kind::flag:
            return datum.flag ? "true" : "false";
        case Kind::integer:
            return fmt::format("{}", datum.integers.front());
        case Kind::three_counts:
            return fmt::format("[{}, {}, {}]", datum.integers[0], datum.integers[1], datum.integers[2]);
        case Kind::number:
            return fmt::format("{}", datum.numbers.front());
        case Kind::quantity:
            return quantity_text(datum.numbers.front(), spec.dimension);
        case Kind::point:
        case Kind::box:
            return quantities_text(datum, spec.dimension);
        case Kind::temperature:
            return temperature_text(datum);
        case Kind::cadence:
        case Kind::wall_cadence:
            if (datum.dimension == Dimension::steps) return fmt::format("\"{} steps\"", datum.integers.front());
            return quantity_text(datum.numbers.front(), datum.dimension);
        case Kind::count:
            return datum.texts.empty() ? fmt::format("{}", datum.integers.front()) : in_quotes(datum.texts.front());
        case Kind::gpu:
            return datum.texts.empty() ? numbers_text(datum) : in_quotes(datum.texts.front());
        case Kind::coulomb:
            if (datum.texts.empty()) return quantity_text(datum.numbers.front(), spec.dimension);
            return in_quotes(datum.texts.front());
        case Kind::choices:
        case Kind::texts:
        case Kind::selections:
        case Kind::folders:
            return texts_text(datum);
        default:
            return in_quotes(datum.texts.front());
    }
}

}  // namespace mdsim::inp
