// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "io/input/input.h"
#include "io/input/keys/keys.h"

namespace mdsim {

namespace {

using namespace inp;

constexpr char introduction[] = R"(# Input reference

Generated from the table of keys in `io/input/keys/keys.cpp` by `mdsim --print-input-reference`; a test checks that it is current.

An input file (`.inp`) is [TOML](https://toml.io). Quantities are texts with a unit: `cutoff = "0.9 nm"` or `cutoff = "9 A"`; a bare
number where a unit is needed is an error. Units are listed in [units.md](units.md), messages in [errors/](errors/). Paths start from the
folder of the input file. A key that is not in these tables is an error, and so is a key in the wrong kind of stage; a key that another one
makes meaningless is listed in the log as not used. Any key can be given on the command line as well: `--set 'forces.cutoff="1.0 nm"'`, a
key of a stage by the stage's name: `--set 'stage.produce.duration="10 ps"'`. For the seed, `--set` comes before the environment variable
`MDSIM_SEED`, and that before the file. The log lists every key in force with its origin.

A run is continued with the input that it was begun with. Only these may differ: a longer `duration` of the last stage (unless its temperature
is a ramp), stages appended, and the keys marked **↻**.
)";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string words(const KeySpec& spec) {
    std::vector<std::string> each;
    for (const std::string_view word : words_of(spec.choices)) each.push_back(fmt::format("`\"{}\"`", word));
    return join(each, ", ");
}

std::string range_text(const KeySpec& spec) {
    const Range& range = spec.range;
    const std::string unit =
        spec.dimension == Dimension::none ? std::string{} : fmt::format(" {}", internal_unit(spec.dimension));
    std::string text;
    // 2147483647 stands for no limit but that of the type.
    const bool above = range.most < 2147483647.0;
    if (range.above_least) {
        text = fmt::format("above {}", range.least);
    } else if (range.least > -1e300) {
        text = above ? fmt::format("{}", range.least) : fmt::format("at least {}", range.least);
    }
    if (above) text += fmt::format("{}{}", text.empty() ? "at most " : " to ", range.most);
    return text.empty() ? text : fmt::format(", {}{}", text, unit);
}

std::string value_text(const KeySpec& spec) {
    switch (spec.kind) {
        case Kind::text:
            return "text";
        case Kind::selection:
            return "[selection](#selections)";
        case Kind::selections:
            return "list of [selections](#selections)";
        case Kind::file:
            return "file";
        case Kind::folder:
            return "folder";
        case Kind::flag:
            return "`true`, `false`";
        case Kind::integer:
            return "whole number" + range_text(spec);
        case Kind::number:
            return "number" + range_text(spec);
        case Kind::quantity:
            return fmt::format("{} ({}){}", name_of(spec.dimension), units_of(spec.dimension), range_text(spec));
        case Kind::choice:
            return words(spec);
        case Kind::choices:
            return "one or a list of " + words(spec);
        case Kind::texts:
            return "list of texts";
        case Kind::folders:
            return "list of folders";
        case Kind::three_counts:
            return "three whole numbers" + range_text(spec);
        case Kind::point:
            return fmt::format("list of three of {} ({})", name_of(spec.dimension), units_of(spec.dimension));
        case Kind::box:
            return "three or nine lengths, or `\"x y z nm\"`";
        case Kind::temperature:
            return "a temperature (K), or `{ from, to }`";
        case Kind::cadence:
            return fmt::format("a time ({}) or `\"N steps\"`", units_of(Dimension::time));
        case Kind::wall_cadence:
            return fmt::format("a wall-clock time ({}), a time ({}) or `\"N steps\"`", units_of(Dimension::wall_time),
                               units_of(Dimension::time));
        case Kind::gpu:
            return words(spec) + ", or a list of whole numbers" + range_text(spec);
        case Kind::count:
            return words(spec) + ", or a whole number" + range_text(spec);
        case Kind::coulomb:
            return fmt::format("{}, or {} ({})", words(spec), name_of(spec.dimension), units_of(spec.dimension));
        case Kind::reference:
            return words(spec) + ", or a file";
        case Kind::table:
        case Kind::tables:
            break;
    }
    return {};
}

std::string default_text(const KeySpec& spec) {
    if (spec.required) return "*required*";
    std::string text = spec.fallback.empty() ? std::string{} : fmt::format("`{}`", spec.fallback);
    if (!spec.fallback_note.empty()) text += (text.empty() ? "" : "; ") + std::string(spec.fallback_note);
    return text;
}

std::string meaning_text(const KeySpec& spec) {
    std::string text(spec.meaning);
    if (!spec.needs.empty() && spec.needs.substr(0, 5) != "kind=") text += fmt::format(" Needs `{}`.", spec.needs);
    if (spec.needs == "kind=dynamics") text += " (dynamics)";
    if (spec.needs == "kind=minimise") text += " (minimise)";
    return escaped(text);
}

std::string section(std::string_view path, std::string_view heading, std::string_view meaning) {
    std::string rows;
    for (const KeySpec& spec : key_table()) {
        if (spec.table() != path || spec.kind == Kind::table || spec.kind == Kind::tables) continue;
        rows += fmt::format("| `{}`{} | {} | {} | {} |\n", spec.name(), spec.change == Change::allowed ? " ↻" : "",
                            escaped(value_text(spec)), escaped(default_text(spec)), meaning_text(spec));
    }
    std::string text = fmt::format("\n## {}\n\n{}\n", heading, meaning);
    if (!rows.empty())
        text += fmt::format("\n| key | value | default | meaning |\n| --- | --- | --- | --- |\n{}", rows);
    return text;
}

constexpr char selections[] = R"(
## Selections

A text that names atoms: `protein and not element H`, `resname LIG or water and within 0.5 nm of resname LIG`. [selections.md](selections.md) has the
language. What depends on distances (`within`) is selected where atoms are at the start, and stays.
)";

}  // namespace

std::string input_reference_markdown() {
    std::string text = introduction;
    text += section("", "At the top", "Before the first section.");
    for (const KeySpec& spec : key_table()) {
        if (spec.kind != Kind::table && spec.kind != Kind::tables) continue;
        const std::string heading =
            spec.kind == Kind::tables ? fmt::format("[[{}]]", spec.path) : fmt::format("[{}]", spec.path);
        text += section(spec.path, heading, spec.meaning);
    }
    return text + selections;
}

}  // namespace mdsim
