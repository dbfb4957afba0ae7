// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/units.h"
#include "integrate/barostats/c_rescale.h"
#include "integrate/barostats/monte_carlo.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

// Ideal gas of n particles at 300 K and the pressure that makes the mean volume n + 1 nm^3: the volume has a gamma
// distribution of shape n + 1, mean n + 1 and variance n + 1 [nm^6].
constexpr int particles = 20;
constexpr double kt = units::boltzmann * 300.0;
constexpr double pressure = kt * units::bar_per_pressure_unit;

struct Moments {
    double sum = 0.0, square = 0.0;
    int count = 0;
    void add(double v) {
        sum += v;
        square += v * v;
        ++count;
    }
    double mean() const { return sum / count; }
    double variance() const { return square / count - mean() * mean(); }
};

State gas() {
    State state;
    state.box = Box::rectangular(2.5, 2.8, 3.0);
    state.x = noise(particles, 1.0, 41);
    state.v = noise(particles, 0.3, 42);
    return state;
}

Mat3d ideal_pressure(const State& state) {
    const double p = particles * pressure / state.box.volume();
    return {Vec3d{p, 0, 0}, Vec3d{0, p, 0}, Vec3d{0, 0, p}};
}

}  // namespace

// The volume forgets itself in some 1/mobility/pressure = 50 steps: 300,000 steps are worth 3,000 independent volumes,
// standard errors 0.4 % of the mean and 4 % of the variance.
TEST_CASE("C-rescale gives the volume distribution of the ideal gas") {
    const Topology t = topology({single("AR", 39.95)}, {particles});
    const AtomParameters atoms = parameters(t);
    const ConstraintSet constraints(t, atoms);
    const Threads with(1);
    for (const auto coupling : {PressureCoupling::isotropic, PressureCoupling::semi_isotropic}) {
        const CRescale barostat({coupling, pressure, 1.0, 0.02, 1.0 / pressure, 6});
        State state = gas();
        const std::vector<Vec3d> start = state.x;
        const Vec3d box = {state.box.rows()[0].x, state.box.rows()[1].y, state.box.rows()[2].z};
        Moments volume;
        for (; state.step < 300000; ++state.step) {
            barostat.couple(state, ideal_pressure(state), 300.0);
            apply_box_move(state, atoms, constraints);
            volume.add(state.box.volume());
        }
        CHECK(volume.mean() == Approx(particles + 1).epsilon(0.025));
        CHECK(volume.variance() == Approx(particles + 1).epsilon(0.15));
        CHECK(state.x[3].x / start[3].x == Approx(state.box.rows()[0].x / box.x).epsilon(1e-9));
        CHECK(state.x[3].z / start[3].z == Approx(state.box.rows()[2].z / box.z).epsilon(1e-9));
        const bool same = std::abs(state.box.rows()[2].z / box.z / (state.box.rows()[0].x / box.x) - 1.0) < 1e-9;
        CHECK(same == (coupling == PressureCoupling::isotropic));
    }
}

TEST_CASE("C-rescale follows the pressure in the mean and books its work") {
    const CRescale barostat({PressureCoupling::isotropic, 1.0, 2.0, 0.1, 4.5e-5, 1});
    State state = gas();
    state.box = Box::rectangular(20, 20, 20);
    const Mat3d p{Vec3d{2001, 0, 0}, Vec3d{0, 2001, 0}, Vec3d{0, 0, 2001}};
    double mean = 0.0;
    for (state.step = 0; state.step < 100; ++state.step) {
        barostat.couple(state, p, 300.0);
        mean += 3.0 * std::log(state.coupling.pending_box_move[0].x) / 100;
    }
    CHECK(mean == Approx(4.5e-5 * 0.05 * 2000).epsilon(0.02));
    CHECK(state.coupling.barostat_work ==
          Approx(100 * mean * 8000.0 * 2001 / units::bar_per_pressure_unit).epsilon(1e-9));
}

TEST_CASE("a box move shifts rigid units as a whole") {
    MoleculeType group = ethyl();
    for (int h = 1; h <= 3; ++h) group.constraints.push_back({0, h, 0.109});
    const Topology t = topology({rigid_water(), group}, {300, 50});
    AtomParameters atoms = parameters(t);
    atoms.inverse_mass[3] = 0.0;  // one oxygen is frozen
    const ConstraintSet constraints(t, atoms);
    State first;
    first.box = Box::from_rows({Vec3d{5, 0, 0}, Vec3d{1, 5, 0}, Vec3d{1, 1, 5}});
    first.x = water_positions(300, 43);
    for (int i = 0; i < 50; ++i) append_ethyl(first.x, {0.1 * i, 4, 0});
    first.v = noise(first.x.size(), 0.5, 44);
    first.coupling.pending_box_move = {Vec3d{1.01, 0, 0}, Vec3d{0, 1.02, 0}, Vec3d{0, 0, 0.97}};
    REQUIRE(box_move_due(first.coupling));
    State moved = first;
    apply_box_move(moved, atoms, constraints);
    CHECK(!box_move_due(moved.coupling));
    CHECK(moved.box.rows()[2] == Vec3d{1.01, 1.02, 5 * 0.97});
    const auto centre = [&](const std::vector<Vec3d>& r) {
        return (1.0 / 18.016) * (16.0 * r[0] + 1.008 * (r[1] + r[2]));
    };
    CHECK(norm(moved.x[0] - moved.x[1]) == Approx(0.09572).epsilon(1e-13));
    CHECK(centre(moved.x).z == Approx(0.97 * centre(first.x).z).margin(1e-15));
    CHECK(centre(moved.v).y == Approx(centre(first.v).y / 1.02).epsilon(1e-12));
    CHECK(norm(moved.v[0] - moved.v[1] - (first.v[0] - first.v[1])) < 1e-14);
    CHECK(moved.x[4] == first.x[4]);                 // with a frozen oxygen
    CHECK(moved.x[904].x == first.x[904].x * 1.01);  // a carbon without constraints
    CHECK(norm(moved.x[900] - moved.x[901]) == Approx(0.109).epsilon(1e-13));
    for (int threads = 2; threads <= 4; ++threads) {
        const Threads with(threads);
        State again = first;
        apply_box_move(again, atoms, constraints);
        CHECK(again.x == moved.x);
        CHECK(again.v == moved.v);
    }
}

// Trials of about 35 % of the mean change keep some 5 trials correlated: 60,000 are worth more than 5,000 independent
// ones.
TEST_CASE("the Monte Carlo barostat gives the volume distribution of the ideal gas") {
    const Topology t = topology({single("AR", 39.95)}, {particles});
    const AtomParameters atoms = parameters(t);
    const Threads with(1);
    for (const auto coupling : {PressureCoupling::isotropic, PressureCoupling::semi_isotropic}) {
        MonteCarloBarostat barostat(t, {coupling, pressure, 8});
        State state = gas();
        Moments volume;
        for (; state.step < 60000; ++state.step) {
            barostat.begin_trial(state, atoms, alone());
            barostat.accept_or_reject(state, 0.0, 0.0, 300.0);
            volume.add(state.box.volume());
        }
        CHECK(volume.mean() == Approx(particles + 1).epsilon(0.02));
        CHECK(volume.variance() == Approx(particles + 1).epsilon(0.12));
    }
}

TEST_CASE("Monte Carlo trials grow or shrink until every other one is accepted") {
    const Threads with(1);
    const Topology t = topology({single("AR", 39.95)}, {2000});
    const AtomParameters atoms = parameters(t);
    for (const double first : {1.0, 500.0}) {
        MonteCarloBarostat barostat(t, {PressureCoupling::isotropic, pressure, 8});
        State state;
        state.box = Box::rectangular(12.6, 12.6, 12.6);
        state.x = noise(2000, 4.0, 46);
        state.v.assign(2000, {});
        state.coupling.volume_step = first;
        int accepted = 0;
        for (; state.step < 1500; ++state.step) {
            barostat.begin_trial(state, atoms, alone());
            const Trial trial = barostat.accept_or_reject(state, 0.0, 0.0, 300.0);
            if (state.step >= 500 && trial == Trial::accepted) ++accepted;
        }
        CHECK(accepted / 1000.0 == Approx(0.5).margin(0.08));
    }
}

TEST_CASE("a rejected trial leaves the bits, an accepted one whole molecules") {
    const Topology t = topology({rigid_water(), ethyl()}, {100, 20});
    const AtomParameters atoms = parameters(t);
    State first;
    first.box = Box::rectangular(3, 3, 3);
    first.x = water_positions(100, 45);
    for (int i = 0; i < 20; ++i) append_ethyl(first.x, {0.1 * i, 2.5, 0.3});
    first.v.assign(first.x.size(), {});
    first.coupling.volume_step = 1.0;
    const auto coupling = GENERATE(PressureCoupling::isotropic, PressureCoupling::semi_isotropic);
    MonteCarloBarostat barostat(t, {coupling, 1.0, 8});
    State state = first;
    barostat.begin_trial(state, atoms, alone());
    CHECK(!(state.x == first.x));
    CHECK(!(state.box == first.box));
    CHECK(state.box.rows()[0].x == state.box.rows()[1].y);
    if (coupling == PressureCoupling::semi_isotropic)
        CHECK((state.box.rows()[0].x == 3.0) != (state.box.rows()[2].z == 3.0));
    CHECK(norm(state.x[301] - state.x[304] - (first.x[301] - first.x[304])) < 1e-15);
    const State tried = state;
    for (const double after : {1e6, std::nan("")}) {
        state = first;
        barostat.begin_trial(state, atoms, alone());
        CHECK(barostat.accept_or_reject(state, 0.0, after, 300.0) == Trial::rejected);
        CHECK(state.x == first.x);
        CHECK(state.box == first.box);
        CHECK(state.coupling.barostat_work == 0.0);
    }
    for (int threads = 1; threads <= 4; ++threads) {
        const Threads with(threads);
        state = first;
        barostat.begin_trial(state, atoms, alone());
        CHECK(barostat.accept_or_reject(state, 0.0, -1e6, 300.0) == Trial::accepted);
        CHECK(state.x == tried.x);
        CHECK(state.box == tried.box);
        CHECK(state.coupling.barostat_work == 1e6);
    }
}
