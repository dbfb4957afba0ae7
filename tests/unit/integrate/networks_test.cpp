// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/constraints/constraint_set.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

void constrain_all(const ConstraintSet& set, const ConstraintSet::Positions& p) {
    for (const AtomSlice& slice : set.slices()) set.constrain(slice, p);
}

double distance(const std::vector<Vec3d>& x, int i, int j) {
    return norm(x[static_cast<std::size_t>(i)] - x[static_cast<std::size_t>(j)]);
}

std::vector<Vec3d> moved(std::vector<Vec3d> x, double size, unsigned seed) {
    const auto d = noise(x.size(), size, seed);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += d[i];
    return x;
}

/// Rings as coarse-grained models have them: beads of 72 u (36 in the ring of small ones) at fixed distances.
struct Network {
    MoleculeType type;
    std::vector<Vec3d> places;  // [nm]
};

Network network(std::vector<Vec3d> places, const std::vector<std::pair<int, int>>& fixed) {
    Network n{single("B", 72.0), std::move(places)};
    n.type.atoms.resize(n.places.size(), n.type.atoms[0]);
    for (std::size_t i = 1; i < n.places.size(); i += 2) n.type.atoms[i].mass = 36.0;
    for (const auto& [i, j] : fixed) {
        const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
        n.type.constraints.push_back({i, j, norm(n.places[a] - n.places[b])});
    }
    return n;
}

Network triangle() {
    return network({{0, 0, 0}, {0.27, 0, 0}, {0.135, 0.234, 0}}, {{0, 1}, {1, 2}, {0, 2}});
}

/// A strip of triangles bent out of the plane, as of sterols, with a chain at its end.
Network fused_rings() {
    return network({{0, 0, 0},
                    {0.25, 0.02, 0.03},
                    {0.12, 0.22, 0.05},
                    {0.38, 0.23, -0.02},
                    {0.26, 0.45, 0.04},
                    {0.51, 0.44, 0.06},
                    {0.40, 0.66, -0.05},
                    {0.44, 0.95, 0.02}},
                   {{0, 1}, {1, 2}, {0, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 6}, {6, 7}});
}

/// A body of this many atoms with all that makes it rigid: 3 n - 6 distances.
Network rigid_body(int atoms) {
    std::vector<Vec3d> places;
    std::vector<std::pair<int, int>> fixed;
    for (int i = 0; i < atoms; ++i) {
        const double turn = 1.7 * i;
        places.push_back({0.3 * std::cos(turn), 0.3 * std::sin(turn), 0.1 * i});
        for (int j = std::max(0, i - 3); j < i; ++j) fixed.emplace_back(j, i);
    }
    return network(std::move(places), fixed);
}

std::string message_of(const MoleculeType& type) {
    const Topology t = topology({type}, {1});
    const AtomParameters p = parameters(t);
    try {
        const ConstraintSet set(t, p);
    } catch (const Error& error) {
        return error.problems().front().code + " " + error.problems().front().what;
    }
    return "accepted";
}

}  // namespace

TEST_CASE("rings, fused rings and rigid bodies up to 64 atoms are solved, positions and velocities") {
    for (const Network& n : {triangle(), fused_rings(), rigid_body(5), rigid_body(20), rigid_body(64)}) {
        const Topology t = topology({n.type}, {1});
        const AtomParameters p = parameters(t);
        const ConstraintSet set(t, p);
        REQUIRE(set.groups() == 1);
        auto x = moved(n.places, 0.004, 21);
        auto v = noise(x.size(), 0.3, 22);
        EnergySums virial;
        constrain_all(set, {n.places, x, v, 50.0, &virial});
        double worst = 0.0, along = 0.0, momentum = 0.0;
        set.project_velocities(x, v);
        for (const Constraint& c : n.type.constraints) {
            const auto i = static_cast<std::size_t>(c.i), j = static_cast<std::size_t>(c.j);
            worst = std::max(worst, std::abs(distance(x, c.i, c.j) / c.length - 1.0));
            along = std::max(along, std::abs(dot(x[i] - x[j], v[i] - v[j])));
        }
        const auto before = moved(n.places, 0.004, 21);
        Vec3d shift{};
        Mat3d expected{};
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d push = p.mass[i] * (x[i] - before[i]);
            shift += push;
            for (std::size_t a = 0; a < 3; ++a) expected[a] += (2500.0 * push[static_cast<int>(a)]) * n.places[i];
        }
        momentum = norm(shift);
        INFO(n.places.size() << " atoms");
        CHECK(worst < constraint_tolerance);
        CHECK(along < 1e-12);
        CHECK(momentum < 1e-11);
        // The virial is that of the forces that moved the atoms, which are along the bonds of the start.
        for (std::size_t a = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b)
                CHECK(virial.virial()[a][b] == Approx(expected[a][b]).epsilon(1e-8).margin(1e-5));
        }
    }
}

TEST_CASE("a rotating network keeps its lengths and its energy over 1,000 free steps") {
    const Network n = fused_rings();
    const Topology t = topology({n.type}, {1});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    auto x = n.places;
    auto v = noise(x.size(), 0.3, 23);
    set.project_velocities(x, v);
    const auto kinetic = [&] {
        double sum = 0.0;
        for (std::size_t i = 0; i < v.size(); ++i) sum += 0.5 * p.mass[i] * norm2(v[i]);
        return sum;
    };
    const double dt = 0.002;  // [ps]
    double first = 0.0, most = 0.0, least = 1e300, worst = 0.0;
    for (int step = 0; step < 1000; ++step) {
        const auto before = x;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += dt * v[i];
        constrain_all(set, {before, x, v, 1.0 / dt, nullptr});
        if (step == 0) first = kinetic();
        most = std::max(most, kinetic());
        least = std::min(least, kinetic());
        for (const Constraint& c : n.type.constraints) {
            worst = std::max(worst, std::abs(distance(x, c.i, c.j) / c.length - 1.0));
        }
    }
    CHECK(worst < constraint_tolerance);
    // Half-step kinetic energy of a rotation varies by (omega dt)^2.
    CHECK(most - least < 1e-3 * first);
    CHECK(kinetic() == Approx(first).epsilon(1e-3));
}

TEST_CASE("a distance that follows from others is named") {
    // Five atoms, all ten distances: a part of a larger group whose count is within 3 n - 6.
    Network five = rigid_body(5);
    five.type.constraints.push_back({0, 4, 0.5});
    five.type.atoms.resize(12, five.type.atoms[0]);
    for (int i = 5; i < 12; ++i) five.type.constraints.push_back({i - 1, i, 0.3});
    const std::string message = message_of(five.type);
    INFO(message);
    CHECK(message.find("MD452") == 0);
    CHECK(message.find("1 (B)") != std::string::npos);
    CHECK(message.find("5 (B)") != std::string::npos);
    CHECK(message_of(rigid_body(12).type) == "accepted");

    // Four in a plane with all six distances: only there.
    const Network square =
        network({{0, 0, 0}, {0.3, 0, 0}, {0.3, 0.3, 0}, {0, 0.3, 0}}, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}, {1, 3}});
    const Topology t = topology({square.type}, {1});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    auto x = square.places;
    x[0] += Vec3d{0.001, 0.002, 0.0};
    std::string found;
    try {
        set.project_positions(x);
        auto y = moved(square.places, 0.003, 5);
        constrain_all(set, {square.places, y, {}, 0.0, nullptr});
    } catch (const Error& error) {
        found = error.problems().front().code + " " + error.problems().front().what;
    }
    INFO(found);
    CHECK(found.find("MD551 the fixed distance between") == 0);
}
