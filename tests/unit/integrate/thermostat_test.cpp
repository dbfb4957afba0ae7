// SPDX-License-Identifier: Apache-2.0
#include "integrate/thermostat.h"

#include <catch2/catch.hpp>

#include "core/philox.h"
#include "core/units.h"
#include "integrate/integrator.h"
#include "integrate/normal_batch.h"
#include "integrate/systems.h"
#include "integrate/velocities.h"

using namespace mdsim;
using namespace mdsim::test;

// Kinetic energy of N degrees of freedom in the canonical ensemble: a gamma distribution of mean N kT/2 and variance
// N (kT)^2/2, third central moment N (kT)^3. With keep = exp(-1/2), 20,000 draws are worth some 4,900 independent ones.
TEST_CASE("v-rescale draws the canonical kinetic energy") {
    const double degrees = 30.0, kt = units::boltzmann * 300.0;
    const VRescale thermostat({0.1, 0.05, degrees, 5});
    State state;
    double kinetic = 0.5 * degrees * kt, mean = 0.0, square = 0.0, cube = 0.0;
    const int draws = 20000;
    const double start = kinetic;
    for (int i = 0; i < draws; ++i, ++state.step) {
        const double scale = thermostat.scale(state, kinetic, 300.0);
        kinetic *= scale * scale;
        const double d = kinetic - 0.5 * degrees * kt;
        mean += d / draws;
        square += d * d / draws;
        cube += d * d * d / draws;
    }
    const double variance = 0.5 * degrees * kt * kt;
    CHECK(std::abs(mean) < 4.0 * std::sqrt(variance / 4900.0));
    CHECK(square == Approx(variance).epsilon(0.1));              // standard error 2.2 %
    CHECK(cube == Approx(degrees * kt * kt * kt).epsilon(0.4));  // standard error some 10 %
    CHECK(kinetic + state.coupling.thermostat_work == Approx(start).epsilon(1e-9));
}

TEST_CASE("v-rescale relaxes with its time constant, and without one draws anew") {
    const double degrees = 3000.0, target = 0.5 * degrees * units::boltzmann * 300.0;
    State state;
    double mean = 0.0;
    for (state.step = 0; state.step < 400; ++state.step) {
        const double scale = VRescale({2.0, 1.0, degrees, 9}).scale(state, 3.0 * target, 300.0);
        mean += 3.0 * scale * scale / 400.0;
    }
    CHECK(mean == Approx(1.0 + 2.0 * std::exp(-0.5)).epsilon(0.01));
    state.step = 7;
    const double scale = VRescale({0.0, 1.0, degrees, 9}).scale(state, 3.0 * target, 300.0);
    CHECK(3.0 * scale * scale == Approx(1.0).epsilon(0.15));  // 6 standard deviations
    CHECK(VRescale({1.0, 1.0, degrees, 9}).scale(state, 0.0, 300.0) == 1.0);
}

TEST_CASE("noise in batches is that of the plain stream") {
    NormalBatch batch;
    for (const std::int64_t first : {0LL, 3LL, 4294967290LL}) {
        const std::uint64_t seed = 0x123456789abcdefULL, step = (1ULL << 33) + 5;
        // Gaps, as home atoms have them; and a number of them that fills no whole vector.
        std::vector<std::int64_t> ids(first == 3 ? 13 : NormalBatch::size);
        for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = first + static_cast<std::int64_t>(i + i / 5 * i);
        draw_normals(seed, step, ids, batch);
        double worst = 0.0;
        for (std::size_t lane = 0; lane < ids.size(); ++lane) {
            RandomStream stream(seed, RandomPurpose::langevin, step, static_cast<std::uint64_t>(ids[lane]));
            for (const auto& component : batch.value) {
                worst = std::max(worst, std::abs(component[lane] - stream.normal()));
            }
        }
        CHECK(worst < 1e-13);
    }
}

TEST_CASE("a ramp is straight in time") {
    const TemperatureRamp ramp{10.0, 300.0, 1000, 2000};
    CHECK(ramp.at(1000) == 10.0);
    CHECK(ramp.at(1500) == 155.0);
    CHECK(ramp.at(2000) == 300.0);
    CHECK(ramp.at(5000) == 300.0);
}

TEST_CASE("velocities have the temperature, no drift and fit the constraints") {
    const Topology t = topology({rigid_water(), single("NA", 22.99)}, {300, 10});
    const AtomParameters atoms = parameters(t);
    const ConstraintSet constraints(t, atoms);
    const auto degrees = static_cast<double>(degrees_of_freedom(t, ComRemoval::yes, {}));
    State state;
    state.x = water_positions(300, 31);
    for (int i = 0; i < 10; ++i) state.x.push_back({0.1 * i, 9, 9});
    generate_velocities(state, atoms, constraints, {310.0, degrees, 42, ComRemoval::yes}, alone());
    CHECK(temperature(kinetic_energy(atoms, state.v, alone()), degrees) == Approx(310.0).epsilon(1e-9));
    CHECK(norm(centre_of_mass_velocity(atoms, state.v, alone())) < 1e-12);
    double along = 0.0;
    for (std::size_t i = 0; i < 900; i += 3) {
        along = std::max(along, std::abs(dot(state.x[i] - state.x[i + 1], state.v[i] - state.v[i + 1])));
    }
    CHECK(along < 1e-14);
    const auto first = state.v;
    {
        const Threads with(3);
        generate_velocities(state, atoms, constraints, {310.0, degrees, 42, ComRemoval::yes}, alone());
    }
    CHECK(state.v == first);
    generate_velocities(state, atoms, constraints, {310.0, degrees, 43, ComRemoval::yes}, alone());
    CHECK(!(state.v == first));
}

// 400 harmonic atoms and 100 rigid waters: relative standard error of the mean over 400 half-decorrelated samples of
// some 1,800 degrees of freedom is below 0.3 %.
TEST_CASE("Langevin keeps the temperature of rigid water and its conserved energy") {
    const Threads with(1);
    const Topology t = topology({rigid_water(), single("X", 12.0)}, {100, 400});
    const AtomParameters atoms = parameters(t);
    const ConstraintSet constraints(t, atoms);
    const auto degrees = static_cast<double>(degrees_of_freedom(t, ComRemoval::no, {}));
    auto home = water_positions(100, 32);
    for (int i = 0; i < 400; ++i) home.push_back({0.2 * i, 7, 7});
    State state;
    state.x = home;
    generate_velocities(state, atoms, constraints, {250.0, degrees, 1, ComRemoval::no}, alone());
    Langevin integrator({0.002, 5.0, 3});
    const auto potential = [&] {
        double sum = 0.0;
        for (std::size_t i = 0; i < home.size(); ++i) sum += 0.5 * 1000.0 * norm2(state.x[i] - home[i]);
        return sum;
    };
    double kinetic = 0.0, elastic = 0.0, first = 0.0, last = 0.0;
    const int warm = 400, steps = 2400;
    for (; state.step < warm + steps; ++state.step) {
        const double energy = potential();
        const double work = thermostat_work(state.coupling, alone());
        const auto f = spring_forces(state.x, home, 1000.0);
        integrator.step(state, {atoms, constraints, f, {}, 300.0, Need::no});
        const KineticEnergies k = kinetic_energies(atoms, integrator.on_step(state), alone());
        last = energy + k.on_step + work;
        if (state.step == 0) first = last;
        if (state.step < warm) continue;
        kinetic += kinetic_energy(atoms, state.v, alone()) / steps;
        for (std::size_t i = 300; i < home.size(); ++i) elastic += 500.0 * norm2(state.x[i] - home[i]) / steps;
    }
    CHECK(temperature(kinetic, degrees) == Approx(300.0).epsilon(0.015));
    CHECK(elastic == Approx(1.5 * 400 * units::boltzmann * 300.0).epsilon(0.03));
    CHECK(std::abs(last - first) < 0.02 * 0.5 * degrees * units::boltzmann * 300.0);
}
