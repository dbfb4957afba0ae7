// SPDX-License-Identifier: Apache-2.0
#include "observe/watchdog.h"

#include <numeric>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

// Home atoms: as many as there are forces, from this id.
std::vector<std::int64_t> ids_from(std::int64_t first, std::size_t atoms) {
    std::vector<std::int64_t> ids(atoms);
    std::iota(ids.begin(), ids.end(), first);
    return ids;
}

std::string message_of(const Watchdog& dog, const State& state, const std::vector<Vec3l>& forces,
                       std::int64_t first = 0) {
    try {
        dog.check(state, {ids_from(first, forces.size()), forces}, 0.002);
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::unstable);
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const char* word) {
    return text.find(word) != std::string::npos;
}

}  // namespace

TEST_CASE("the watchdog names the atom and the largest force") {
    const Topology t = topology({rigid_water(), ethyl()}, {10, 1});
    const Watchdog dog(t);
    State state;
    state.x = water_positions(10, 61);
    append_ethyl(state.x, {1, 1, 1});
    state.v = noise(state.x.size(), 0.5, 62);
    std::vector<Vec3l> forces(state.x.size());
    forces[33] = fixed_force({3e6, 0, 0});
    CHECK(message_of(dog, state, forces).empty());
    SECTION("not a number") {
        state.x[4].y = std::nan("");
        state.x[20].y = std::nan("");
        const std::string text = message_of(dog, state, forces);
        CHECK(mentions(text, "MD502"));
        CHECK(mentions(text, "number 5 of the input"));
        CHECK(mentions(text, "3e+06 kJ/mol/nm, on residue ETH 7, atom H13"));
    }
    SECTION("velocity without bounds") {
        state.v[31].x = INFINITY;
        CHECK(mentions(message_of(dog, state, forces), "MD502"));
    }
    SECTION("too fast") {
        state.v[31].x = 400.0;
        const std::string text = message_of(dog, state, forces);
        CHECK(mentions(text, "MD504"));
        CHECK(mentions(text, "atom H11"));
        CHECK(mentions(text, "0.8 nm"));
    }
    SECTION("force at the end of its range") {
        forces[7] = {INT64_MAX, 0, 0};
        CHECK(mentions(message_of(dog, state, forces), "MD503"));
    }
    SECTION("the last five atoms of the system are at home") {
        state.x.erase(state.x.begin(), state.x.begin() + 30);
        state.v.erase(state.v.begin(), state.v.begin() + 30);
        forces.erase(forces.begin(), forces.begin() + 30);
        state.x[4].y = std::nan("");
        const std::string text = message_of(dog, state, forces, 30);
        CHECK(mentions(text, "number 35 of the input"));
        CHECK(mentions(text, "on residue ETH 7, atom H13"));
    }
    SECTION("temperature") {
        const auto ids = ids_from(0, forces.size());
        CHECK_NOTHROW(dog.check_temperature({ids, forces}, 900.0));
        CHECK_THROWS_AS(dog.check_temperature({ids, forces}, 1e6), Error);
        CHECK_THROWS_AS(dog.check_temperature({ids, forces}, std::nan("")), Error);
    }
}
