// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/input/input.h"

using namespace mdsim;

namespace {

/// A line "# expect: CODE LINE words" of a broken input.
struct Expected {
    std::string code;
    int line = 0;
    std::string words;
};

std::vector<Expected> expectations(const std::filesystem::path& file) {
    std::vector<Expected> all;
    std::ifstream stream(file);
    std::string line, hash, word;
    while (std::getline(stream, line) && line.rfind("# expect:", 0) == 0) {
        Expected expected;
        std::istringstream words(line);
        words >> hash >> word >> expected.code >> expected.line >> std::ws;
        std::getline(words, expected.words);
        all.push_back(expected);
    }
    return all;
}

std::vector<Problem> problems_of(const std::filesystem::path& file) {
    try {
        read_input(file, {});
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        return error.problems();
    }
    return {};
}

}  // namespace

TEST_CASE("broken inputs are refused with code, line and remedy, and nothing else is said", "[input]") {
    const std::filesystem::path folder = std::filesystem::path(MDSIM_SOURCE_DIR) / "tests/data/inputs_broken";
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".inp") continue;
        ++files;
        const std::vector<Expected> expected = expectations(entry.path());
        const std::vector<Problem> found = problems_of(entry.path());
        std::string all;
        for (const Problem& problem : found) all += to_text(problem) + "\n";
        INFO(entry.path().filename().string() << "\n" << all);
        REQUIRE(found.size() == expected.size());
        REQUIRE(!expected.empty());
        CHECK(std::is_sorted(found.begin(), found.end(),
                             [](const Problem& a, const Problem& b) { return a.place.line < b.place.line; }));
        for (const Expected& e : expected) {
            bool seen = false;
            for (const Problem& problem : found) {
                seen = seen || (problem.code == e.code && problem.place.line == e.line && problem.place.column > 0 &&
                                problem.place.file == entry.path().string() &&
                                to_text(problem).find(e.words) != std::string::npos);
            }
            INFO(e.code << " line " << e.line << ": " << e.words);
            CHECK(seen);
        }
    }
    CHECK(files >= 50);
}

TEST_CASE("the bundled inputs are read", "[input]") {
    const std::filesystem::path folder = std::filesystem::path(MDSIM_SOURCE_DIR) / "inputs";
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".inp") continue;
        ++files;
        INFO(entry.path().string());
        std::ifstream stream(entry.path());
        const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        const Input input = parse_input(text, entry.path());
        CHECK(!input.stages.empty());
        CHECK(parse_input(input.canonical, entry.path()).canonical == input.canonical);
    }
    CHECK(files >= 1);
}

TEST_CASE("an input file that is not there is an input error", "[input]") {
    const std::vector<Problem> found = problems_of("no/such/file.inp");
    REQUIRE(found.size() == 1);
    CHECK(found[0].code == "MD111");
    CHECK(problems_of(MDSIM_SOURCE_DIR).at(0).code == "MD111");
}
