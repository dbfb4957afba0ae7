// SPDX-License-Identifier: Apache-2.0
#include "io/input/input.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "io/input/sections.h"

namespace mdsim {

namespace {

using namespace inp;

std::string origin_of(const Setting& setting) {
    if (!setting.given) return "default";
    const Place& place = setting.place;
    return place.line > 0 ? fmt::format("{}:{}", place.file, place.line) : place.file;
}

std::string without_backticks(std::string_view text) {
    std::string out(text);
    out.erase(std::remove(out.begin(), out.end(), '`'), out.end());
    return out;
}

void list_settings(const Table& table, std::vector<SettingLine>& lines) {
    for (const Setting& setting : table.settings) {
        SettingLine line{table.full_key(setting.spec->name()), {}, origin_of(setting), {}};
        line.value = setting.has_value ? leaf_text(*setting.spec, setting.datum)
                                       : without_backticks(setting.spec->fallback_note);
        if (!setting.used) line.note = fmt::format("not used: needs {}", setting.spec->needs);
        lines.push_back(std::move(line));
    }
    for (const Table& child : table.tables) list_settings(child, lines);
}

/// MDSIM_SEED as a value for system.seed.
void apply_seed(Value& document, Problems& problems) {
    const char* text = std::getenv("MDSIM_SEED");
    if (!text) return;
    Value seed;
    seed.kind = Value::Kind::integer;
    seed.name = "seed";
    seed.place = {"MDSIM_SEED"};
    const std::string_view digits(text);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed.integer);
    if (error != std::errc{} || end != digits.data() + digits.size() || seed.integer < 0) {
        return problems.add({"MD112",
                             {"MDSIM_SEED"},
                             fmt::format("the environment variable MDSIM_SEED = '{}' is not a whole number", text),
                             {},
                             "MDSIM_SEED=12345, or unset MDSIM_SEED"});
    }
    set_key(document, "system", std::move(seed));
}

/// Those without a line (of --set and the environment) come first.
void throw_in_file_order(Problems& problems) {
    try {
        problems.throw_if_any();
    } catch (const Error& error) {
        std::vector<Problem> sorted = error.problems();
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const Problem& a, const Problem& b) { return a.place.line < b.place.line; });
        throw Error(error.exit_code(), std::move(sorted));
    }
}

Input build(const Value& document, const std::filesystem::path& file, Problems& problems, bool look_at_files) {
    Input input;
    input.file = file;
    const Table root = resolve(document, file.stem().string(), problems);
    const Context context{file.parent_path(), look_at_files, problems};
    input.title = root.text("title");
    input.system = system_of(*root.child("system"), context);
    input.forces = forces_of(*root.child("forces"), context);
    input.hardware = hardware_of(*root.child("hardware"));
    input.output = output_of(*root.child("output"), context);
    input.stages = stages_of(root, input.output, context);
    input.debug = debug_of(*root.child("debug"), input.hardware, context);
    throw_in_file_order(problems);
    input.canonical = canonical_text(root);
    list_settings(root, input.settings);
    return input;
}

std::string read_text(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) {
        throw_input_error(
            {"MD111", {file.string()}, "this is a folder, not an input file", {}, "mdsim -i FOLDER/NAME.inp"});
    }
    std::ifstream stream(file, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    if (!stream.is_open() || stream.bad()) {
        throw_input_error({"MD111",
                           {file.string()},
                           "the input file cannot be read",
                           std::filesystem::exists(file, error) ? "" : "there is no such file",
                           "check its name, its folder and its permissions"});
    }
    return text;
}

}  // namespace

std::int64_t Cadence::in_steps(double timestep) const {
    if (steps > 0 || time <= 0.0) return steps;
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(time / timestep * (1.0 - 1e-9))));
}

Input read_input(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    const std::string text = read_text(file);
    Problems problems;
    Value document = parse_document(text, file.string());
    apply_seed(document, problems);
    for (const std::string& assignment : overrides) apply_override(document, assignment, problems);
    Input input = build(document, file, problems, true);
    input.text = text;
    return input;
}

Input parse_input(const std::string& text, const std::filesystem::path& file) {
    Problems problems;
    Input input = build(parse_document(text, file.string()), file, problems, false);
    input.text = text;
    return input;
}

}  // namespace mdsim
