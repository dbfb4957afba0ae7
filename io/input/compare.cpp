// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "core/error.h"
#include "io/input/input.h"
#include "io/input/keys/keys.h"

namespace mdsim {

namespace {

/// "stage.produce.duration" -> "stage.duration", "output.trajectory.2.every" -> "output.trajectory.every":
/// the row of the table of keys that a setting belongs to.
const inp::KeySpec* row_of(const std::string& key) {
    std::string path;
    std::size_t begin = 0;
    bool stage_name = false;
    while (begin <= key.size()) {
        const std::size_t dot = std::min(key.find('.', begin), key.size());
        const std::string part = key.substr(begin, dot - begin);
        const bool number =
            !part.empty() && std::all_of(part.begin(), part.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (!stage_name && !number) path += (path.empty() ? "" : ".") + part;
        stage_name = path == "stage" && !stage_name;
        begin = dot + 1;
    }
    return inp::find_key(path);
}

const SettingLine* find_line(const Input& input, const std::string& key) {
    for (const SettingLine& line : input.settings) {
        if (line.key == key) return &line;
    }
    return nullptr;
}

std::string value_in(const Input& input, const std::string& key) {
    const SettingLine* line = find_line(input, key);
    return line && line->note.empty() ? line->value : "-";
}

/// Does the key belong to a stage that only `now` has?
bool of_appended_stage(const std::string& key, const Input& stored, const Input& now) {
    for (std::size_t i = stored.stages.size(); i < now.stages.size(); ++i) {
        if (key.rfind("stage." + now.stages[i].name + ".", 0) == 0) return true;
    }
    return false;
}

/// The longer duration of the last stage that `stored` knows. A ramp that is stretched would be another ramp from its
/// start, so that what has been run would not be a part of it.
bool may_be_longer(const std::string& key, const Input& stored, const Input& now, std::string& why) {
    if (stored.stages.empty() || key != "stage." + stored.stages.back().name + ".duration") return false;
    const StageInput& before = stored.stages.back();
    const StageInput& after = now.stages[stored.stages.size() - 1];
    if (after.duration < before.duration) {
        why = "the last stage can become longer, not shorter";
        return false;
    }
    if (before.temperature_from != before.temperature_to) {
        why = "a longer ramp would have been another one from its start; append a stage instead";
        return false;
    }
    return true;
}

std::string names_of(const Input& input) {
    std::string text;
    for (const StageInput& stage : input.stages) text += (text.empty() ? "" : ", ") + stage.name;
    return text.empty() ? "-" : text;
}

bool begins_with_stages(const Input& now, const Input& stored) {
    if (now.stages.size() < stored.stages.size()) return false;
    return std::equal(stored.stages.begin(), stored.stages.end(), now.stages.begin(),
                      [](const StageInput& a, const StageInput& b) { return a.name == b.name; });
}

}  // namespace

std::vector<Difference> differences(const Input& stored, const Input& now) {
    std::vector<Difference> found;
    if (!begins_with_stages(now, stored)) {
        found.push_back(
            {"stage", names_of(stored), names_of(now), "stages can be appended, not removed, renamed or moved"});
        return found;
    }
    std::vector<std::string> keys;
    for (const SettingLine& line : stored.settings) keys.push_back(line.key);
    for (const SettingLine& line : now.settings) {
        if (!find_line(stored, line.key)) keys.push_back(line.key);
    }
    for (const std::string& key : keys) {
        const std::string before = value_in(stored, key), after = value_in(now, key);
        const inp::KeySpec* row = row_of(key);
        if (before == after || (row && row->change == inp::Change::allowed)) continue;
        if (of_appended_stage(key, stored, now)) continue;
        std::string why;
        if (may_be_longer(key, stored, now, why)) continue;
        found.push_back({key, before, after, why});
    }
    return found;
}

void require_continuable(const Input& stored, const Input& now) {
    Problems problems;
    for (const Difference& difference : differences(stored, now)) {
        const SettingLine* line = find_line(now, difference.key);
        const std::string origin = line ? line->origin : now.file.string();
        problems.add(
            {"MD115",
             {origin == "default" ? now.file.string() : origin},
             fmt::format("{} was {} when this run was begun and is {} now", difference.key, difference.stored,
                         difference.now),
             difference.why.empty()
                 ? "a run continues with the input that it was begun with; only a longer last stage, appended stages, "
                   "how often outputs are written, [hardware] and [debug] may differ"
                 : difference.why,
             "put the old value back, or start over with --restart (the old outputs are kept aside)"});
    }
    problems.throw_if_any();
}

}  // namespace mdsim
