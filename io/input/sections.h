// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "io/input/input.h"
#include "io/input/table.h"

namespace mdsim::inp {

/// What the conversion of resolved tables to Input needs besides them.
struct Context {
    std::filesystem::path folder;  ///< that relative paths start from
    bool look_at_files = true;     ///< named files must exist
    Problems& problems;

    std::filesystem::path path(const std::string& text) const { return folder / text; }
    /// The complete path; a problem where there is no such file.
    std::filesystem::path file(const Table& table, std::string_view name) const;
    void add(const char* code, const Place& place, std::string what, std::string why = {},
             std::string remedy = {}) const {
        problems.add({code, place, std::move(what), std::move(why), std::move(remedy)});
    }
};

Cadence cadence_of(const Table& table);
SystemInput system_of(const Table& table, const Context& context);
ForcesInput forces_of(const Table& table, const Context& context);
HardwareInput hardware_of(const Table& table);
OutputInput output_of(const Table& table, const Context& context);
DebugInput debug_of(const Table& table, const HardwareInput& hardware, const Context& context);
/// Stages with the overrides of [output] applied, and the checks that concern several keys or stages (stages.cpp).
std::vector<StageInput> stages_of(const Table& root, const OutputInput& output, const Context& context);

/// Restraints, walls and frozen atoms of a stage; the second checks their names (restraints.cpp).
void read_restraints(const Table& table, const Context& context, StageInput& stage);
void check_restraint_names(const Table& root, const std::vector<StageInput>& stages, const Context& context);

/// The enumerator at the place of `word` in `words` ("a|b|c"), for enums in the order of their words.
template <class Enum>
Enum pick(std::string_view words, std::string_view word) {
    int position = 0;
    for (const std::string_view candidate : words_of(words)) {
        if (candidate == word) return static_cast<Enum>(position);
        ++position;
    }
    return Enum{};
}

}  // namespace mdsim::inp
