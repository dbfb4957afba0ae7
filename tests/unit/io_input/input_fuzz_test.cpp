// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/input/input.h"

using namespace mdsim;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream stream(std::string(MDSIM_SOURCE_DIR) + path, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
}

/// Deletes, doubles, swaps or flips a few pieces of a text.
std::string mutated(std::string text, std::mt19937& random) {
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % std::max<std::size_t>(n, 1)); };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
        const std::size_t at = below(text.size()), length = 1 + below(i % 2 ? 40 : 3);
        switch (below(5)) {
            case 0:
                text.erase(at, length);
                break;
            case 1:
                text.insert(at, text.substr(at, length));
                break;
            case 2:
                text[at] = static_cast<char>(random());
                break;
            case 3:
                text[at] = "0123456789.-e\"'[]{}=#,\n "[below(24)];
                break;
            default:
                text.insert(below(text.size()), text.substr(at, length));
                break;
        }
    }
    return text;
}

}  // namespace

TEST_CASE("mutated inputs are read or refused, never anything else", "[input]") {
    const std::string seeds[] = {text_of("/tests/data/inputs_valid/two_stages.inp"),
                                 text_of("/tests/data/inputs_valid/every_key.inp")};
    std::mt19937 random(20240229);
    int read = 0, refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string text = mutated(seeds[i % 2], random);
        try {
            const Input input = parse_input(text, "fuzz.inp");
            // What is accepted must survive its own canonical form.
            const std::string canonical = parse_input(input.canonical, "fuzz.inp").canonical;
            if (canonical != input.canonical) FAIL(text);
            ++read;
        } catch (const Error& error) {
            if (error.exit_code() != ExitCode::input_error) FAIL(text << "\n" << error.what());
            ++refused;
        } catch (const std::exception& error) {
            FAIL(text << "\n" << error.what());
        }
    }
    CHECK(read > 50);
    CHECK(refused > 500);
}

TEST_CASE("hostile --set arguments are applied or refused", "[input]") {
    const std::string file = std::string(MDSIM_SOURCE_DIR) + "/tests/data/inputs_valid/two_stages.inp";
    const std::string seeds[] = {"stage.produce.duration=\"10 ps\"", "output.trajectory.every=\"1 ps\"",
                                 "forces.mesh=[8, 8, 8]",
                                 "stage.heat.restrain=[{select=\"all\", force_constant=\"1 kJ/mol/nm^2\"}]"};
    std::mt19937 random(7);
    for (int i = 0; i < 1000; ++i) {
        const std::string argument = mutated(seeds[i % 4], random);
        try {
            read_input(file, {argument});
        } catch (const Error& error) {
            if (error.exit_code() != ExitCode::input_error) FAIL(argument << "\n" << error.what());
        } catch (const std::exception& error) {
            FAIL(argument << "\n" << error.what());
        }
    }
    SUCCEED();
}
