// SPDX-License-Identifier: Apache-2.0
#include "io/input/keys/quantity.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "core/units.h"

namespace mdsim::inp {

namespace {

constexpr double degrees_per_radian2 = (180.0 / units::pi) * (180.0 / units::pi);

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

/// Without blanks around / and ^, other blanks single.
std::string normalised(std::string_view text) {
    std::string out;
    bool blank = false;
    for (const char c : trimmed(text)) {
        if (is_blank(c)) {
            blank = true;
            continue;
        }
        const bool joins = c == '/' || c == '^' || (!out.empty() && (out.back() == '/' || out.back() == '^'));
        if (blank && !joins && !out.empty()) out += ' ';
        blank = false;
        out += c;
    }
    return out;
}

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    return out;
}

/// What people write for a unit that mdsim spells otherwise.
struct Alias {
    std::string_view written, meant;
};
constexpr Alias aliases[] = {
    {"angstrom", "A"},
    {"angstroms", "A"},
    {"ang", "A"},
    {"\xc3\x85", "A"},
    {"\xe2\x84\xab", "A"},
    {"nanometer", "nm"},
    {"nanometers", "nm"},
    {"nanometre", "nm"},
    {"\xc2\xb5m", "um"},
    {"\xc2\xb5s", "us"},
    {"dalton", "u"},
    {"da", "u"},
    {"amu", "u"},
    {"g/mol", "u"},
    {"kelvin", "K"},
    {"kj", "kJ/mol"},
    {"kcal", "kcal/mol"},
    {"picosecond", "ps"},
    {"picoseconds", "ps"},
    {"femtosecond", "fs"},
    {"min.", "min"},
    {"degree", "deg"},
    {"degrees", "deg"},
    {"radian", "rad"},
    {"radians", "rad"},
    {"femtoseconds", "fs"},
    {"nanosecond", "ns"},
    {"nanoseconds", "ns"},
    {"minutes", "min"},
    {"minute", "min"},
    {"hours", "h"},
    {"hour", "h"},
    {"seconds", "s"},
    {"second", "s"},
    {"sec", "s"},
    {"kj/mol/nm2", "kJ/mol/nm^2"},
    {"kcal/mol/a2", "kcal/mol/A^2"},
    {"kj mol^-1 nm^-2", "kJ/mol/nm^2"},
    {"bars", "bar"},
    {"step", "steps"},
};

std::string hint_for(const std::string& written, Dimension dimension) {
    const std::string small = lower(written);
    for (const Unit& unit : all_units()) {
        if (unit.dimension == dimension && lower(unit.spelling) == small) return std::string(unit.spelling);
    }
    for (const Alias& alias : aliases) {
        if (small == alias.written && find_unit(alias.meant, dimension)) return std::string(alias.meant);
    }
    return {};
}

/// The dimension that knows this unit, for "is a time, but a length is needed".
Dimension dimension_of(std::string_view spelling) {
    for (const Unit& unit : all_units()) {
        if (unit.spelling == spelling) return unit.dimension;
    }
    return Dimension::none;
}

std::vector<Unit> make_units() {
    using D = Dimension;
    const double kcal = units::kcal;
    return {
        {D::length, "nm"},
        {D::length, "A", 1, 10},
        {D::length, "um", 1000},
        {D::angle, "deg"},
        {D::angle, "rad", 180.0, units::pi},
        {D::time, "ps"},
        {D::time, "fs", 1, 1000},
        {D::time, "ns", 1000},
        {D::time, "us", 1e6},
        {D::wall_time, "s"},
        {D::wall_time, "min", 60},
        {D::wall_time, "h", 3600},
        {D::mass, "u"},
        {D::temperature, "K"},
        {D::pressure, "bar"},
        {D::pressure, "atm", 1.01325},
        {D::pressure, "MPa", 10},
        {D::energy, "kJ/mol"},
        {D::energy, "kcal/mol", kcal},
        {D::force, "kJ/mol/nm"},
        {D::force, "kJ/mol/A", 10},
        {D::force, "kcal/mol/nm", kcal},
        {D::force, "kcal/mol/A", 10 * kcal},
        {D::spring, "kJ/mol/nm^2"},
        {D::spring, "kJ/mol/A^2", 100},
        {D::spring, "kcal/mol/nm^2", kcal},
        {D::spring, "kcal/mol/A^2", 100 * kcal},
        {D::angular_spring, "kJ/mol/rad^2"},
        {D::angular_spring, "kJ/mol/deg^2", degrees_per_radian2},
        {D::angular_spring, "kcal/mol/rad^2", kcal},
        {D::angular_spring, "kcal/mol/deg^2", kcal * degrees_per_radian2},
        {D::charge, "e"},
        {D::electric_field, "V/nm"},
        {D::inverse_length, "/nm"},
        {D::inverse_length, "1/nm"},
        {D::inverse_length, "nm^-1"},
        {D::inverse_length, "/A", 10},
        {D::inverse_length, "1/A", 10},
        {D::inverse_length, "A^-1", 10},
        {D::inverse_time, "/ps"},
        {D::inverse_time, "1/ps"},
        {D::inverse_time, "ps^-1"},
        {D::inverse_time, "/fs", 1000},
        {D::inverse_time, "/ns", 1, 1000},
        {D::compressibility, "/bar"},
        {D::compressibility, "1/bar"},
        {D::compressibility, "bar^-1"},
        {D::compressibility, "/atm", 1, 1.01325},
        {D::compressibility, "/MPa", 1, 10},
        {D::coulomb_constant, "kJ nm/mol/e^2"},
        {D::coulomb_constant, "kcal A/mol/e^2", kcal, 10},
        {D::steps, "steps"},
    };
}

}  // namespace

const std::vector<Unit>& all_units() {
    static const std::vector<Unit> units = make_units();
    return units;
}

std::string_view internal_unit(Dimension dimension) {
    for (const Unit& unit : all_units()) {
        if (unit.dimension == dimension) return unit.spelling;
    }
    return {};
}

std::string_view name_of(Dimension dimension) {
    switch (dimension) {
        case Dimension::none:
            return "a number";
        case Dimension::length:
            return "a length";
        case Dimension::angle:
            return "an angle";
        case Dimension::time:
            return "a time";
        case Dimension::wall_time:
            return "a wall-clock time";
        case Dimension::mass:
            return "a mass";
        case Dimension::temperature:
            return "a temperature";
        case Dimension::pressure:
            return "a pressure";
        case Dimension::energy:
            return "an energy";
        case Dimension::force:
            return "a force";
        case Dimension::spring:
            return "a force constant";
        case Dimension::angular_spring:
            return "an angular force constant";
        case Dimension::charge:
            return "a charge";
        case Dimension::electric_field:
            return "an electric field";
        case Dimension::inverse_length:
            return "an inverse length";
        case Dimension::inverse_time:
            return "an inverse time";
        case Dimension::compressibility:
            return "a compressibility";
        case Dimension::coulomb_constant:
            return "a Coulomb constant";
        case Dimension::steps:
            return "a number of steps";
    }
    return {};
}

std::string units_of(Dimension dimension) {
    std::vector<std::string_view> names;
    for (const Unit& unit : all_units()) {
        // 1/nm and nm^-1 are understood, but /nm is the spelling to teach.
        const bool taught = unit.spelling.substr(0, 2) != "1/" && unit.spelling.find("^-") == std::string_view::npos;
        if (unit.dimension == dimension && taught) names.push_back(unit.spelling);
    }
    if (names.size() < 2) return join(names, "");
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", join(names, ", "), last);
}

std::optional<NumberAndRest> split_number(std::string_view text) {
    text = trimmed(text);
    // from_chars takes no plus sign; one before a minus is a mistake, not a sign.
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    if (text.empty() || !(text.front() == '-' || text.front() == '.' || (text.front() >= '0' && text.front() <= '9'))) {
        return std::nullopt;
    }
    NumberAndRest out{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out.number);
    if (error != std::errc{} || !std::isfinite(out.number)) return std::nullopt;
    out.rest = trimmed(text.substr(static_cast<std::size_t>(end - text.data())));
    return out;
}

const Unit* find_unit(std::string_view spelling, Dimension dimension) {
    const std::string wanted = normalised(spelling);
    for (const Unit& unit : all_units()) {
        if (unit.dimension == dimension && unit.spelling == wanted) return &unit;
    }
    return nullptr;
}

std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string_view customary,
                                     QuantityFault& fault) {
    const std::optional<NumberAndRest> parts = split_number(text);
    if (!parts) {
        fault = {fmt::format("'{}' does not begin with a number", text), {}, false};
        return std::nullopt;
    }
    const std::string number(fmt::format("{}", parts->number));
    if (parts->rest.empty()) {
        fault = {fmt::format("{} has no unit", number), fmt::format("{} {}", number, customary)};
        return std::nullopt;
    }
    if (const Unit* unit = find_unit(parts->rest, dimension)) {
        const double value = parts->number * unit->numerator / unit->denominator;
        if (std::isfinite(value)) return value;
        fault = {fmt::format("'{}' is too large", text), {}, false};
        return std::nullopt;
    }
    const std::string written = normalised(parts->rest);
    const std::string hint = hint_for(written, dimension);
    const Dimension other = dimension_of(written);
    fault.unit = true;
    if (!hint.empty()) {
        fault.what = fmt::format("the unit '{}' is spelt {}", written, hint);
        fault.suggestion = fmt::format("{} {}", number, hint);
    } else if (other != Dimension::none) {
        fault.what = fmt::format("'{} {}' is {}, not {}", number, written, name_of(other), name_of(dimension));
        fault.suggestion = fmt::format("{} {}", number, customary);
    } else {
        // The number belongs to that unit: with another one it would be a wrong value.
        fault.what = fmt::format("the unit '{}' is not known", written);
    }
    return std::nullopt;
}

}  // namespace mdsim::inp
