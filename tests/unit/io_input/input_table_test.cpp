// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "core/error.h"
#include "io/input/input.h"
#include "io/input/leaf.h"

using namespace mdsim;
using namespace mdsim::inp;

TEST_CASE("every row of the table of keys is complete", "[input]") {
    std::set<std::string_view> paths;
    for (const KeySpec& spec : key_table()) {
        INFO(spec.path);
        CHECK(paths.insert(spec.path).second);
        CHECK(!spec.meaning.empty());
        if (!spec.table().empty()) CHECK(paths.count(spec.table()) == 1);
        if (!spec.needs.empty()) {
            const std::string other =
                std::string(spec.table()) + "." + std::string(spec.needs.substr(0, spec.needs.find('=')));
            CHECK(paths.count(other) == 1);
        }
        const bool words = spec.kind == Kind::choice || spec.kind == Kind::choices;
        CHECK(words <= !spec.choices.empty());
        const bool table = spec.kind == Kind::table || spec.kind == Kind::tables;
        if (!table && !spec.required) CHECK((!spec.fallback.empty() || !spec.fallback_note.empty()));
    }
}

TEST_CASE("defaults and examples of the table of keys are valid", "[input]") {
    for (const KeySpec& spec : key_table()) {
        if (spec.kind == Kind::table || spec.kind == Kind::tables) continue;
        INFO(spec.path);
        Problems problems;
        Datum datum, again;
        if (!spec.fallback.empty()) {
            REQUIRE(read_leaf(spec, parse_value(std::string(spec.fallback), "test"), "key", datum, problems));
            CHECK(read_leaf(spec, parse_value(leaf_text(spec, datum), "test"), "key", again, problems));
            CHECK(datum == again);
        }
        const bool single = spec.kind == Kind::quantity || spec.kind == Kind::cadence ||
                            spec.kind == Kind::wall_cadence || spec.kind == Kind::coulomb;
        if (single) {
            REQUIRE(!spec.example.empty());
            CHECK(read_leaf(spec, parse_value(in_quotes(spec.example), "test"), "key", datum, problems));
        }
        CHECK(problems.empty());
    }
}

TEST_CASE("docs/input_reference.md is current", "[input]") {
    std::ifstream stream(std::string(MDSIM_SOURCE_DIR) + "/docs/input_reference.md", std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    const bool current = text == input_reference_markdown();
    INFO("run: mdsim --print-input-reference >docs/input_reference.md");
    CHECK(current);
}

TEST_CASE("docs/units.md names every unit", "[input]") {
    std::ifstream stream(std::string(MDSIM_SOURCE_DIR) + "/docs/units.md");
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    for (const Unit& unit : all_units()) {
        INFO(unit.spelling);
        const bool named = text.find(fmt::format("`{}`", unit.spelling)) != std::string::npos;
        CHECK(named);
    }
}
