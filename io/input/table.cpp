// SPDX-License-Identifier: Apache-2.0
#include "io/input/table.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim::inp {

namespace {

enum class Applies { yes, no, unknown };

std::string joined(std::string_view table, std::string_view name) {
    return table.empty() ? std::string(name) : fmt::format("{}.{}", table, name);
}

/// Walks the table of keys over a document.
class Resolver {
  public:
    Resolver(const std::string& stem, Problems& problems) : stem_(stem), problems_(problems) {}

    void table(std::string_view path, const Value* raw, Table& out);

  private:
    const std::string& stem_;
    Problems& problems_;
    const Value* stage_ = nullptr;  ///< the [[stage]] at hand, where some defaults depend on other keys
    std::size_t stage_number_ = 0;

    void unknown_keys(std::string_view path, const Value& raw, const Table& out);
    Applies applies(const KeySpec& spec, const Table& out) const;
    void misplaced(const KeySpec& spec, const Value& item, const Table& out);
    void leaf(const KeySpec& spec, const Value* item, Table& out, Applies applies);
    void one_table(const KeySpec& spec, const Value* item, Table& out);
    void many_tables(const KeySpec& spec, const Value* item, Table& out);
    void add_table(const KeySpec& spec, const Value* item, std::string key, Table& out);
    std::string fallback(const KeySpec& spec) const;
    bool stage_says(std::string_view key, std::string_view word) const;
    std::string element_key(const KeySpec& spec, const Value& item, std::size_t number, std::size_t of,
                            const Table& out) const;
};

void Resolver::unknown_keys(std::string_view path, const Value& raw, const Table& out) {
    std::vector<std::string> siblings;
    for (const KeySpec& spec : key_table()) {
        if (spec.table() == path) siblings.emplace_back(spec.name());
    }
    for (const Value& item : raw.items) {
        if (find_key(joined(path, item.name))) continue;
        Problem problem{"MD101", item.place, fmt::format("{} is not a key", out.full_key(item.name)), {}, {}};
        const std::string near = nearest(item.name, siblings);
        std::vector<std::string_view> elsewhere;
        for (const KeySpec& spec : key_table()) {
            if (spec.name() == item.name && spec.path != spec.name()) elsewhere.push_back(spec.path);
        }
        const bool top_level = path == "stage.output" && find_key(joined("output", item.name));
        if (top_level || path.substr(0, 13) == "stage.output.") {
            problem.why = "all stages write to the same files, so that only `every` can differ between them";
            problem.remedy = fmt::format("{} under [output]", item.name);
        } else if (!near.empty()) {
            problem.remedy = fmt::format("{} (the nearest key)", joined(path, near));
        } else if (!elsewhere.empty()) {
            problem.remedy = join(elsewhere, " or ");
        } else {
            problem.why = fmt::format("keys here: {}", join(siblings, ", "));
        }
        problems_.add(std::move(problem));
    }
}

Applies Resolver::applies(const KeySpec& spec, const Table& out) const {
    if (spec.needs.empty()) return Applies::yes;
    const std::size_t equals = spec.needs.find('=');
    const Setting* other = out.find(spec.needs.substr(0, equals));
    if (!other || !other->used) return Applies::no;
    if (!other->has_value) return other->given || other->spec->required ? Applies::unknown : Applies::no;
    if (equals == std::string_view::npos) return Applies::yes;
    for (const std::string_view word : words_of(spec.needs.substr(equals + 1))) {
        if (!other->datum.texts.empty() && other->datum.texts.front() == word) return Applies::yes;
    }
    return Applies::no;
}

void Resolver::misplaced(const KeySpec& spec, const Value& item, const Table& out) {
    const std::size_t equals = spec.needs.find('=');
    const std::string_view other = spec.needs.substr(0, equals);
    Problem problem{"MD108", item.place, {}, {}, {}};
    const Setting* decisive = out.find(other);
    if (other == "kind" && decisive && decisive->has_value) {
        problem.what = fmt::format("{} has no meaning in the stage '{}', which is a {} stage",
                                   out.full_key(spec.name()), out.text("name"), decisive->datum.texts.front());
        problem.remedy = fmt::format("remove it, or kind = \"{}\"", spec.needs.substr(equals + 1));
    } else {
        problem.what = fmt::format("{} has no effect without {}", out.full_key(spec.name()), spec.needs);
        problem.remedy = fmt::format("remove it, or give {}", other);
    }
    problems_.add(std::move(problem));
}

bool Resolver::stage_says(std::string_view key, std::string_view word) const {
    const Value* value = stage_ ? stage_->find(key) : nullptr;
    return value && value->kind == Value::Kind::text && value->text == word;
}

std::string Resolver::fallback(const KeySpec& spec) const {
    const bool langevin = stage_says("integrator", "langevin") || stage_says("thermostat", "langevin");
    if (spec.path == "stage.name") return fmt::format("\"stage-{}\"", stage_number_);
    if (spec.path == "output.name") return in_quotes(stem_);
    if (langevin && (spec.path == "stage.integrator" || spec.path == "stage.thermostat")) return "\"langevin\"";
    if (spec.path == "stage.remove_com.every" && stage_) {
        const Value* restrain = stage_->find("restrain");
        const Value* wall = stage_->find("wall");
        const Value* freeze = stage_->find("freeze");
        const bool held = (restrain && !restrain->items.empty()) || (wall && !wall->items.empty()) ||
                          (freeze && !freeze->text.empty());
        if (held || langevin) return "\"0 steps\"";
    }
    return std::string(spec.fallback);
}

void Resolver::leaf(const KeySpec& spec, const Value* item, Table& out, Applies applies) {
    Setting setting{.spec = &spec, .place = out.place};
    setting.used = applies != Applies::no;
    if (item) {
        setting.given = true;
        setting.place = item->place;
        setting.has_value = read_leaf(spec, *item, out.full_key(spec.name()), setting.datum, problems_);
    } else if (applies == Applies::yes) {
        const std::string text = fallback(spec);
        if (!text.empty()) {
            setting.has_value =
                read_leaf(spec, parse_value(text, "default"), out.full_key(spec.name()), setting.datum, problems_);
        } else if (spec.required) {
            const std::string example = spec.example.empty() ? "\"...\"" : in_quotes(spec.example);
            problems_.add({"MD106", out.place, fmt::format("{} is missing", out.full_key(spec.name())),
                           std::string(spec.meaning),
                           fmt::format("{} = {}", spec.name(),
                                       spec.choices.empty() ? example : fmt::format("\"{}\"", spec.choices))});
        }
    } else {
        return;
    }
    const bool silent = !setting.given && spec.path.substr(0, 13) == "stage.output.";
    if (!silent) out.settings.push_back(std::move(setting));
}

void Resolver::add_table(const KeySpec& spec, const Value* item, std::string key, Table& out) {
    Table made;
    made.spec = &spec;
    made.key = std::move(key);
    made.place = item ? item->place : out.place;
    table(spec.path, item, made);
    out.tables.push_back(std::move(made));
}

void Resolver::one_table(const KeySpec& spec, const Value* item, Table& out) {
    if (item && item->kind != Value::Kind::table) {
        problems_.add({"MD102",
                       item->place,
                       fmt::format("{} = {} is not a table of keys", out.full_key(spec.name()), to_toml(*item)),
                       {},
                       fmt::format("{} = {{ key = value }} or [{}]", spec.name(), spec.path)});
        item = nullptr;
    }
    add_table(spec, item, out.full_key(spec.name()), out);
}

std::string Resolver::element_key(const KeySpec& spec, const Value& item, std::size_t number, std::size_t of,
                                  const Table& out) const {
    if (spec.path == "stage") {
        const Value* name = item.find("name");
        return fmt::format("stage.{}",
                           name && name->kind == Value::Kind::text ? name->text : fmt::format("stage-{}", number));
    }
    const std::string key = out.full_key(spec.name());
    return of == 1 ? key : fmt::format("{}.{}", key, number);
}

void Resolver::many_tables(const KeySpec& spec, const Value* item, Table& out) {
    if (!item) {
        if (!spec.fallback.empty()) add_table(spec, nullptr, out.full_key(spec.name()), out);
        return;
    }
    const std::vector<Value> one{*item};
    const std::vector<Value>& list = item->kind == Value::Kind::list ? item->items : one;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Value& element = list[i];
        if (element.kind != Value::Kind::table) {
            problems_.add({"MD102",
                           element.place,
                           fmt::format("{} = {} is not a table of keys", out.full_key(spec.name()), to_toml(element)),
                           {},
                           fmt::format("{} = [{{ key = value }}] or [[{}]]", spec.name(), spec.path)});
            continue;
        }
        if (spec.path == "stage") {
            stage_ = &element;
            stage_number_ = i + 1;
        }
        add_table(spec, &element, element_key(spec, element, i + 1, list.size(), out), out);
    }
    if (spec.path == "stage") stage_ = nullptr;
}

void Resolver::table(std::string_view path, const Value* raw, Table& out) {
    if (raw) unknown_keys(path, *raw, out);
    for (const KeySpec& spec : key_table()) {
        if (spec.table() != path) continue;
        const Value* item = raw ? raw->find(spec.name()) : nullptr;
        const Applies state = applies(spec, out);
        if (state == Applies::no && item && spec.strict) {
            misplaced(spec, *item, out);
        } else if (spec.kind == Kind::table) {
            if (state == Applies::yes) one_table(spec, item, out);
        } else if (spec.kind == Kind::tables) {
            many_tables(spec, item, out);
        } else {
            leaf(spec, item, out, state);
        }
    }
}

std::string inline_body(const Table& table);

/// Lists of tables are written inline, other tables as dotted keys.
std::vector<std::string> lines_of(const Table& table, const std::string& prefix) {
    std::vector<std::string> lines;
    for (const Setting& setting : table.settings) {
        if (!setting.has_value || !setting.used) continue;
        lines.push_back(
            fmt::format("{}{} = {}", prefix, setting.spec->name(), leaf_text(*setting.spec, setting.datum)));
    }
    const std::string_view path = table.spec ? table.spec->path : std::string_view{};
    for (const KeySpec& spec : key_table()) {
        if (spec.table() != path || (spec.kind != Kind::table && spec.kind != Kind::tables)) continue;
        std::vector<std::string> elements;
        for (const Table* child : table.children(spec.name())) {
            if (spec.kind == Kind::tables) {
                elements.push_back(fmt::format("{{ {} }}", inline_body(*child)));
                continue;
            }
            for (std::string& line : lines_of(*child, prefix + std::string(spec.name()) + "."))
                lines.push_back(std::move(line));
        }
        const bool nothing = elements.empty() && spec.fallback.empty();
        if (spec.kind == Kind::tables && !nothing) {
            lines.push_back(fmt::format("{}{} = [{}]", prefix, spec.name(), join(elements, ", ")));
        }
    }
    return lines;
}

std::string inline_body(const Table& table) {
    return join(lines_of(table, ""), ", ");
}

}  // namespace

const Setting* Table::find(std::string_view name) const {
    for (const Setting& setting : settings) {
        if (setting.spec->name() == name) return &setting;
    }
    return nullptr;
}

const Table* Table::child(std::string_view name) const {
    for (const Table& table : tables) {
        if (table.spec->name() == name) return &table;
    }
    return nullptr;
}

std::vector<const Table*> Table::children(std::string_view name) const {
    std::vector<const Table*> found;
    for (const Table& table : tables) {
        if (table.spec->name() == name) found.push_back(&table);
    }
    return found;
}

std::string Table::full_key(std::string_view name) const {
    return joined(key, name);
}

bool Table::has(std::string_view name) const {
    const Setting* setting = find(name);
    return setting && setting->has_value && setting->used;
}

bool Table::given(std::string_view name) const {
    const Setting* setting = find(name);
    return setting && setting->given;
}

Place Table::place_of(std::string_view name) const {
    const Setting* setting = find(name);
    return setting ? setting->place : place;
}

const Datum& Table::datum(std::string_view name) const {
    static const Datum nothing;
    MDSIM_EXPECT(find_key(joined(spec ? spec->path : "", name)) != nullptr);
    const Setting* setting = find(name);
    return setting && setting->has_value ? setting->datum : nothing;
}

std::string Table::text(std::string_view name) const {
    const Datum& d = datum(name);
    return d.texts.empty() ? std::string{} : d.texts.front();
}

double Table::number(std::string_view name) const {
    const Datum& d = datum(name);
    return d.numbers.empty() ? 0.0 : d.numbers.front();
}

std::int64_t Table::integer(std::string_view name) const {
    const Datum& d = datum(name);
    return d.integers.empty() ? 0 : d.integers.front();
}

Table resolve(const Value& document, const std::string& stem, Problems& problems) {
    Table root;
    root.place = document.place;
    Resolver(stem, problems).table("", &document, root);
    return root;
}

std::string canonical_text(const Table& root) {
    std::string text;
    for (const Setting& setting : root.settings) {
        text += fmt::format("{} = {}\n", setting.spec->name(), leaf_text(*setting.spec, setting.datum));
    }
    for (const Table& table : root.tables) {
        const bool list = table.spec->kind == Kind::tables;
        text += list ? fmt::format("\n[[{}]]\n", table.spec->name()) : fmt::format("\n[{}]\n", table.spec->name());
        for (const std::string& line : lines_of(table, "")) text += line + '\n';
    }
    return text;
}

}  // namespace mdsim::inp
