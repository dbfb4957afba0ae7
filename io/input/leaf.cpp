// SPDX-License-Identifier: Apache-2.0
#include "io/input/leaf.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "system/selection/selection.h"

namespace mdsim::inp {

namespace {

/// One key on its way from TOML to a Datum.
class LeafReader {
  public:
    LeafReader(const KeySpec& spec, const std::string& key, Datum& out, Problems& problems)
        : spec_(spec), key_(key), out_(out), problems_(problems) {}

    bool read(const Value& value);

  private:
    const KeySpec& spec_;
    const std::string& key_;
    Datum& out_;
    Problems& problems_;

    bool fail(const char* code, const Value& at, std::string what, std::string why = {}, std::string remedy = {}) {
        problems_.add({code, at.place, std::move(what), std::move(why), std::move(remedy)});
        return false;
    }
    std::string assigned(std::string_view toml) const { return fmt::format("{} = {}", spec_.name(), toml); }
    std::string_view customary() const {
        const auto parts = split_number(spec_.example);
        return parts ? parts->rest : internal_unit(spec_.dimension);
    }

    bool wrong_type(const Value& value, std::string_view wanted, const std::string& example);
    bool in_range(double number, const Value& at);
    bool flag(const Value& value);
    bool text(const Value& value);
    bool selection(const Value& value);
    bool selections(const Value& value);
    bool texts(const Value& value);
    bool integer(const Value& value);
    bool number(const Value& value);
    bool quantity(const Value& value, Dimension dimension);
    bool word(const Value& value);
    bool words(const Value& value);
    bool counts(const Value& value);
    bool box(const Value& value);
    bool box_text(const Value& value);
    bool temperature(const Value& value);
    bool cadence(const Value& value);
    bool gpu(const Value& value);
    bool coulomb(const Value& value);
    bool reference(const Value& value);
};

bool LeafReader::wrong_type(const Value& value, std::string_view wanted, const std::string& example) {
    return fail("MD102", value, fmt::format("{} = {} is not {}", key_, to_toml(value), wanted), {}, assigned(example));
}

bool LeafReader::in_range(double number, const Value& at) {
    const Range& range = spec_.range;
    if (!std::isnan(number) && number >= range.least && number <= range.most &&
        !(range.above_least && number == range.least)) {
        return true;
    }
    const bool has_unit = spec_.dimension != Dimension::none;
    const std::string unit = has_unit ? fmt::format(" {}", internal_unit(spec_.dimension)) : std::string{};
    std::string limits;
    if (std::isfinite(range.least))
        limits = fmt::format("{} {}{}", range.above_least ? "above" : "at least", range.least, unit);
    if (std::isfinite(range.most))
        limits += fmt::format("{}at most {}{}", limits.empty() ? "" : " and ", range.most, unit);
    if (limits.empty()) limits = "a number";
    return fail("MD104", at, fmt::format("{} = {} is out of range", key_, to_toml(at)),
                fmt::format("it must be {}", limits),
                spec_.example.empty() ? std::string{} : assigned(in_quotes(spec_.example)));
}

bool LeafReader::flag(const Value& value) {
    if (value.kind != Value::Kind::flag) return wrong_type(value, "true or false", "true");
    out_.flag = value.flag;
    return true;
}

bool LeafReader::text(const Value& value) {
    if (value.kind != Value::Kind::text) return wrong_type(value, "a text in quotes", "\"...\"");
    if (value.text.find('\0') != std::string::npos) return wrong_type(value, "a text without zero bytes", "\"...\"");
    out_.texts = {value.text};
    return true;
}

bool LeafReader::selection(const Value& value) {
    if (!text(value)) return false;
    try {
        check_selection(value.text);
        return true;
    } catch (const SelectionError& error) {
        return fail(
            "MD114", value,
            fmt::format("{} = {}: at character {}: {}", key_, in_quotes(value.text), error.column(), error.what()), {},
            error.remedy());
    }
}

bool LeafReader::texts(const Value& value) {
    const std::vector<Value> one{value};
    for (const Value& item : value.kind == Value::Kind::list ? value.items : one) {
        if (item.kind != Value::Kind::text || item.text.find('\0') != std::string::npos) {
            return wrong_type(item, "a list of texts", "[\"...\", \"...\"]");
        }
        out_.texts.push_back(item.text);
    }
    return true;
}

bool LeafReader::selections(const Value& value) {
    if (value.kind != Value::Kind::list) return wrong_type(value, "a list of selections", "[\"...\", \"...\"]");
    for (const Value& item : value.items) {
        if (!selection(item)) return false;
    }
    out_.texts.clear();
    return texts(value);
}

bool LeafReader::integer(const Value& value) {
    if (value.kind != Value::Kind::integer) {
        const std::string example = value.kind == Value::Kind::real && std::abs(value.real) < 1e15
                                        ? fmt::format("{}", std::llround(value.real))
                                        : std::string("10");
        return wrong_type(value, "a whole number", example);
    }
    if (!in_range(static_cast<double>(value.integer), value)) return false;
    out_.integers = {value.integer};
    return true;
}

bool LeafReader::number(const Value& value) {
    if (!value.is_number()) return wrong_type(value, "a number without unit", "5e-4");
    if (!in_range(value.number(), value)) return false;
    out_.numbers = {value.number()};
    return true;
}

bool LeafReader::quantity(const Value& value, Dimension dimension) {
    const std::string why = fmt::format("{} is needed, with its unit: {}", name_of(dimension), units_of(dimension));
    if (value.is_number()) {
        const std::string written = fmt::format("{} {}", to_toml(value), customary());
        return fail("MD103", value, fmt::format("{} = {} has no unit", key_, to_toml(value)), why,
                    assigned(in_quotes(written)));
    }
    if (value.kind != Value::Kind::text) return wrong_type(value, "a quantity", in_quotes(spec_.example));
    QuantityFault fault;
    const std::optional<double> number = parse_quantity(value.text, dimension, customary(), fault);
    if (!number) {
        const std::string remedy = fault.suggestion.empty() ? std::string(spec_.example) : fault.suggestion;
        return fail(fault.unit ? "MD103" : "MD102", value,
                    fmt::format("{} = {}: {}", key_, in_quotes(value.text), fault.what), why,
                    assigned(in_quotes(remedy)));
    }
    if (!in_range(*number, value)) return false;
    out_.numbers.push_back(*number);
    return true;
}

bool LeafReader::word(const Value& value) {
    const std::vector<std::string_view> allowed = words_of(spec_.choices);
    const std::string list = fmt::format("\"{}\"", join(allowed, "\", \""));
    if (value.kind != Value::Kind::text) return wrong_type(value, "one of " + list, in_quotes(allowed.front()));
    if (std::find(allowed.begin(), allowed.end(), value.text) != allowed.end()) {
        out_.texts.push_back(value.text);
        return true;
    }
    const std::vector<std::string_view> later = words_of(spec_.later);
    if (std::find(later.begin(), later.end(), value.text) != later.end()) {
        return fail("MD107", value, fmt::format("{} = {} is not in this version of mdsim", key_, in_quotes(value.text)),
                    {}, fmt::format("{} = {}", spec_.name(), spec_.instead));
    }
    const std::string near = nearest(value.text, {allowed.begin(), allowed.end()});
    return fail("MD105", value, fmt::format("{} = {} is not one of {}", key_, in_quotes(value.text), list), {},
                near.empty() ? std::string{} : assigned(in_quotes(near)));
}

bool LeafReader::words(const Value& value) {
    if (value.kind == Value::Kind::text) return word(value);
    if (value.kind != Value::Kind::list || value.items.empty()) {
        return wrong_type(value, "a list of words", fmt::format("[{}]", in_quotes(words_of(spec_.choices).front())));
    }
    bool good = true;
    for (const Value& item : value.items) good = word(item) && good;
    if (!good) return false;
    for (std::size_t i = 0; i < out_.texts.size(); ++i) {
        if (std::find(out_.texts.begin(), out_.texts.begin() + static_cast<std::ptrdiff_t>(i), out_.texts[i]) !=
            out_.texts.begin() + static_cast<std::ptrdiff_t>(i)) {
            return fail("MD105", value, fmt::format("{} names {} twice", key_, in_quotes(out_.texts[i])));
        }
    }
    return true;
}

bool LeafReader::counts(const Value& value) {
    if (value.kind != Value::Kind::list || value.items.size() != 3)
        return wrong_type(value, "three whole numbers", "[64, 64, 64]");
    for (const Value& item : value.items) {
        if (item.kind != Value::Kind::integer) return wrong_type(value, "three whole numbers", "[64, 64, 64]");
        if (!in_range(static_cast<double>(item.integer), item)) return false;
        out_.integers.push_back(item.integer);
    }
    return true;
}

// "6 6 6 nm": numbers and one unit behind them.
bool LeafReader::box_text(const Value& value) {
    std::vector<double> numbers;
    std::string_view rest = value.text;
    while (const auto parts = split_number(rest)) {
        numbers.push_back(parts->number);
        rest = parts->rest;
        if (numbers.size() > 9) break;
    }
    const Unit* unit = find_unit(rest, Dimension::length);
    if (!unit) {
        return fail("MD103", value,
                    fmt::format("{} = {} has no unit of length at its end", key_, in_quotes(value.text)), {},
                    "box = [\"6 nm\", \"6 nm\", \"6 nm\"]");
    }
    for (const double number : numbers) out_.numbers.push_back(number * unit->numerator / unit->denominator);
    return true;
}

bool LeafReader::box(const Value& value) {
    bool good = true;
    if (value.kind == Value::Kind::text) {
        good = box_text(value);
    } else if (value.kind == Value::Kind::list && !value.items.empty()) {
        // Nine numbers and, last, their unit.
        const bool unit_last =
            value.items.size() == 10 && value.items.back().kind == Value::Kind::text &&
            std::all_of(value.items.begin(), value.items.end() - 1, [](const Value& v) { return v.is_number(); });
        Value joined = value;
        joined.kind = Value::Kind::text;
        for (const Value& item : value.items) {
            if (!unit_last) good = good && quantity(item, Dimension::length);
            joined.text += (item.is_number() ? to_toml(item) : item.text) + ' ';
        }
        if (unit_last) good = box_text(joined);
    } else {
        return wrong_type(value, "three lengths or nine numbers", "[\"6 nm\", \"6 nm\", \"6 nm\"]");
    }
    const std::size_t n = out_.numbers.size();
    const bool is_box = spec_.kind == Kind::box;
    if (!good || n == 3 || (n == 9 && is_box)) return good;
    return fail("MD102", value, fmt::format("{} has {} numbers", key_, n),
                is_box ? "a box is three lengths, or nine numbers: the rows a, b and c of the box matrix"
                       : "a place is three lengths",
                assigned("[\"6 nm\", \"6 nm\", \"6 nm\"]"));
}

bool LeafReader::temperature(const Value& value) {
    if (value.kind != Value::Kind::table) {
        if (!quantity(value, Dimension::temperature)) return false;
        out_.numbers.push_back(out_.numbers.front());
        return true;
    }
    for (const Value& item : value.items) {
        if (item.name != "from" && item.name != "to") {
            return fail("MD101", item, fmt::format("{}.{} is not a key", key_, item.name), {},
                        "temperature = { from = \"10 K\", to = \"300 K\" }");
        }
    }
    const Value* from = value.find("from");
    const Value* to = value.find("to");
    if (!from || !to) {
        return fail("MD106", value, fmt::format("{} has no '{}'", key_, from ? "to" : "from"), {},
                    "temperature = { from = \"10 K\", to = \"300 K\" }");
    }
    const bool good = quantity(*from, Dimension::temperature);
    return quantity(*to, Dimension::temperature) && good;
}

bool LeafReader::cadence(const Value& value) {
    if (value.kind == Value::Kind::integer && spec_.path == "stage.remove_com.every") {
        if (!in_range(static_cast<double>(value.integer), value)) return false;
        out_.integers = {value.integer};
        out_.dimension = Dimension::steps;
        return true;
    }
    const auto parts = value.kind == Value::Kind::text ? split_number(value.text) : std::nullopt;
    if (parts && (parts->rest == "steps" || parts->rest == "step")) {
        if (parts->number != std::floor(parts->number) || parts->number > 9e15)
            return wrong_type(value, "a whole number of steps", "\"100 steps\"");
        if (!in_range(parts->number, value)) return false;
        out_.integers = {static_cast<std::int64_t>(parts->number)};
        out_.dimension = Dimension::steps;
        return true;
    }
    out_.dimension = Dimension::time;
    if (spec_.kind == Kind::wall_cadence && !(parts && find_unit(parts->rest, Dimension::time)))
        out_.dimension = Dimension::wall_time;
    return quantity(value, out_.dimension);
}

bool LeafReader::gpu(const Value& value) {
    if (value.kind == Value::Kind::text) return word(value);
    const std::string wanted =
        fmt::format("\"{}\", or a list of device numbers", join(words_of(spec_.choices), "\", \""));
    if (value.kind != Value::Kind::list || value.items.empty()) return wrong_type(value, wanted, "[0]");
    for (const Value& item : value.items) {
        if (item.kind != Value::Kind::integer) return wrong_type(item, wanted, "[0]");
        if (std::find(out_.integers.begin(), out_.integers.end(), item.integer) != out_.integers.end())
            return fail("MD105", item, fmt::format("{} names device {} twice", key_, item.integer), {}, "name it once");
        if (!in_range(static_cast<double>(item.integer), item)) return false;
        out_.integers.push_back(item.integer);
    }
    return true;
}

bool LeafReader::coulomb(const Value& value) {
    if (value.is_number() || (value.kind == Value::Kind::text && split_number(value.text)))
        return quantity(value, spec_.dimension);
    return word(value);
}

// A word of the choices, or else a file. A word close to a choice and without a dot is a misspelt choice.
bool LeafReader::reference(const Value& value) {
    if (!text(value)) return false;
    const std::vector<std::string_view> allowed = words_of(spec_.choices);
    if (std::find(allowed.begin(), allowed.end(), value.text) != allowed.end()) return true;
    const bool like_a_file = value.text.find_first_of("./") != std::string::npos;
    if (like_a_file) return true;
    return fail("MD105", value,
                fmt::format("{} = {} is neither \"{}\" nor a coordinate file", key_, in_quotes(value.text),
                            join(allowed, "\", \"")),
                {}, assigned(in_quotes(allowed.front())));
}

bool LeafReader::read(const Value& value) {
    switch (spec_.kind) {
        case Kind::text:
        case Kind::file:
        case Kind::folder:
            return text(value);
        case Kind::selection:
            return selection(value);
        case Kind::selections:
            return selections(value);
        case Kind::flag:
            return flag(value);
        case Kind::integer:
            return integer(value);
        case Kind::number:
            return number(value);
        case Kind::quantity:
            return quantity(value, spec_.dimension);
        case Kind::choice:
            return word(value);
        case Kind::choices:
            return words(value);
        case Kind::texts:
        case Kind::folders:
            return texts(value);
        case Kind::three_counts:
            return counts(value);
        case Kind::point:
        case Kind::box:
            return box(value);
        case Kind::temperature:
            return temperature(value);
        case Kind::cadence:
        case Kind::wall_cadence:
            return cadence(value);
        case Kind::gpu:
            return gpu(value);
        case Kind::count:
            return value.kind == Value::Kind::text ? word(value) : integer(value);
        case Kind::coulomb:
            return coulomb(value);
        case Kind::reference:
            return reference(value);
        case Kind::table:
        case Kind::tables:
            break;
    }
    MDSIM_EXPECT(false);
    return false;
}

}  // namespace

bool read_leaf(const KeySpec& spec, const Value& value, const std::string& key, Datum& out, Problems& problems) {
    out = {};
    return LeafReader(spec, key, out, problems).read(value);
}

}  // namespace mdsim::inp
