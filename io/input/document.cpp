// SPDX-License-Identifier: Apache-2.0
#include "io/input/document.h"

#include <algorithm>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "core/edit_distance.h"
#include "io/input/keys/quantity.h"

namespace mdsim::inp {

namespace {

Place place_of(const toml::source_region& source, const std::string& file) {
    return {file, static_cast<int>(source.begin.line), static_cast<int>(source.begin.column)};
}

Value converted(const toml::node& node, const std::string& file);

void convert_table(const toml::table& table, const std::string& file, Value& out) {
    out.kind = Value::Kind::table;
    for (auto&& [key, node] : table) {
        Value item = converted(node, file);
        item.name = std::string(key.str());
        if (key.source().begin.line > 0) item.place = place_of(key.source(), file);
        out.items.push_back(std::move(item));
    }
    // toml++ sorts by name; problems and listings read better in the order of the file.
    std::stable_sort(out.items.begin(), out.items.end(), [](const Value& a, const Value& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
}

Value converted(const toml::node& node, const std::string& file) {
    Value out;
    out.place = place_of(node.source(), file);
    if (const auto* table = node.as_table()) {
        convert_table(*table, file, out);
    } else if (const auto* list = node.as_array()) {
        out.kind = Value::Kind::list;
        for (const toml::node& item : *list) out.items.push_back(converted(item, file));
    } else if (const auto* text = node.as_string()) {
        out.kind = Value::Kind::text;
        out.text = text->get();
    } else if (const auto* integer = node.as_integer()) {
        out.kind = Value::Kind::integer;
        out.integer = integer->get();
    } else if (const auto* real = node.as_floating_point()) {
        out.kind = Value::Kind::real;
        out.real = real->get();
    } else if (const auto* flag = node.as_boolean()) {
        out.kind = Value::Kind::flag;
        out.flag = flag->get();
    } else {
        out.kind = Value::Kind::date;
    }
    return out;
}

void set_place(Value& value, const Place& place) {
    value.place = place;
    for (Value& item : value.items) set_place(item, place);
}

/// The table `name` within `parent`, made where it is absent; null where something else has the name.
Value* descend(Value& parent, const std::string& name, const Place& place) {
    for (Value& item : parent.items) {
        if (item.name != name) continue;
        const bool single = item.kind == Value::Kind::list && item.items.size() == 1;
        Value& found = single ? item.items.front() : item;
        return found.kind == Value::Kind::table ? &found : nullptr;
    }
    Value made;
    made.name = name;
    made.place = place;
    parent.items.push_back(std::move(made));
    return &parent.items.back();
}

std::string stage_name(const Value& stage, std::size_t number) {
    const Value* name = stage.find("name");
    return name && name->kind == Value::Kind::text ? name->text : fmt::format("stage-{}", number);
}

Value* find_stage(Value& root, const std::string& name, Problems& problems, const Place& place) {
    std::vector<std::string> names;
    for (Value& item : root.items) {
        if (item.name != "stage" || item.kind != Value::Kind::list) continue;
        for (Value& stage : item.items) {
            names.push_back(stage_name(stage, names.size() + 1));
            if (names.back() == name && stage.kind == Value::Kind::table) return &stage;
        }
    }
    problems.add({"MD112", place, fmt::format("there is no stage called '{}'", name),
                  "a key of a stage is set as stage.NAME.KEY",
                  names.empty() ? "" : fmt::format("one of {}", join(names, ", "))});
    return nullptr;
}

std::vector<std::string> split_path(std::string_view key) {
    std::vector<std::string> parts(1);
    for (const char c : key) {
        if (c == '.') {
            parts.emplace_back();
        } else if (c != ' ' && c != '\t') {
            parts.back() += c;
        }
    }
    return parts;
}

void replace(Value& table, Value value) {
    for (Value& item : table.items) {
        if (item.name == value.name) {
            item = std::move(value);
            return;
        }
    }
    table.items.push_back(std::move(value));
}

}  // namespace

const Value* Value::find(std::string_view key) const {
    for (const Value& item : items) {
        if (item.name == key) return &item;
    }
    return nullptr;
}

Value parse_document(std::string_view text, const std::string& file) {
    try {
        return converted(toml::parse(text, file), file);
    } catch (const toml::parse_error& error) {
        throw_input_error(
            {"MD100", place_of(error.source(), file), std::string(error.description()),
             "an input file is TOML: [sections], then lines of key = value; text and quantities in quotes",
             "look at this line and the one before it for a missing quote, bracket or ="});
    }
}

Value parse_value(std::string_view toml, const std::string& file) {
    Value document = parse_document(fmt::format("value = {}", toml), file);
    if (document.items.size() != 1) throw_input_error({"MD112", {file}, "this is more than one value"});
    Value value = std::move(document.items.front());
    set_place(value, {file});
    return value;
}

void apply_override(Value& root, const std::string& assignment, Problems& problems) {
    const Place place{"--set"};
    const auto malformed = [&](std::string what) {
        problems.add({"MD112", place, std::move(what), "--set takes KEY=VALUE, VALUE as in the input file",
                      "--set 'forces.cutoff=\"1.0 nm\"' (single quotes outside, double quotes inside)"});
    };
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) return malformed(fmt::format("'{}' has no =", assignment));
    const std::vector<std::string> path = split_path(std::string_view(assignment).substr(0, equals));
    if (std::find(path.begin(), path.end(), "") != path.end())
        return malformed(fmt::format("'{}' has an empty key", assignment));
    Value value;
    try {
        value = parse_value(std::string_view(assignment).substr(equals + 1), "--set");
    } catch (const Error& error) {
        return malformed(fmt::format("'{}': {}", assignment, error.problems().front().what));
    }
    Value* table = &root;
    std::size_t next = 0;
    if (path.size() > 2 && path[0] == "stage") {
        table = find_stage(root, path[1], problems, place);
        if (!table) return;
        next = 2;
    }
    for (; next + 1 < path.size(); ++next) {
        table = descend(*table, path[next], place);
        if (!table) return malformed(fmt::format("'{}': {} is not one table", assignment, path[next]));
    }
    value.name = path.back();
    replace(*table, std::move(value));
}

void set_key(Value& root, std::string_view section, Value value) {
    Value* table = descend(root, std::string(section), value.place);
    if (table) replace(*table, std::move(value));
}

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (code < 0x20 || code == 0x7f) {
            out += fmt::format("\\u{:04X}", static_cast<int>(code));
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string to_toml(const Value& value) {
    std::vector<std::string> parts;
    switch (value.kind) {
        case Value::Kind::flag:
            return value.flag ? "true" : "false";
        case Value::Kind::integer:
            return fmt::format("{}", value.integer);
        case Value::Kind::real:
            return fmt::format("{}", value.real);
        case Value::Kind::text:
            return in_quotes(value.text);
        case Value::Kind::date:
            return "a date";
        case Value::Kind::list:
            for (const Value& item : value.items) parts.push_back(to_toml(item));
            return fmt::format("[{}]", join(parts, ", "));
        case Value::Kind::table:
            for (const Value& item : value.items) parts.push_back(fmt::format("{} = {}", item.name, to_toml(item)));
            return fmt::format("{{ {} }}", join(parts, ", "));
    }
    return {};
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    if (word.size() > 64) return best;
    for (const std::string& candidate : candidates) {
        const std::size_t d = edit_distance(word, candidate);
        if (d < best_distance) {
            best_distance = d;
            best = candidate;
        }
    }
    return best;
}

}  // namespace mdsim::inp
