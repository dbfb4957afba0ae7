// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "integrate/integrator.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

struct Springs {
    Topology topology;
    AtomParameters atoms;
    ConstraintSet constraints;
    std::vector<Vec3d> home;
    double k;

    Springs(Topology t, std::vector<Vec3d> home_, double k_)
        : topology(std::move(t)),
          atoms(parameters(topology)),
          constraints(topology, atoms),
          home(std::move(home_)),
          k(k_) {}

    double potential(const State& state) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < home.size(); ++i) sum += 0.5 * k * norm2(state.x[i] - home[i]);
        return sum;
    }
    void step(Integrator& integrator, State& state, Need virial = Need::no) const {
        const auto f = spring_forces(state.x, home, k);
        integrator.step(state, {atoms, constraints, f, {}, 300.0, virial});
        ++state.step;
    }
};

Springs waters_on_springs(int count) {
    return {topology({rigid_water(), ethyl()}, {count, 0}), water_positions(count, 21), 2000.0};
}

State start(const Springs& system, double speed) {
    State state;
    state.x = system.home;
    state.v = noise(system.home.size(), speed, 22);
    prepare_dynamics(state, system.atoms, system.constraints, alone());
    return state;
}

}  // namespace

// x_n = A cos(n theta) with sin(theta/2) = omega dt/2 solves leap-frog exactly.
TEST_CASE("leap-frog follows the discrete harmonic oscillator") {
    const double mass = 4.0, k = 900.0, dt = 0.01, amplitude = 0.1;
    const Springs system(topology({single("X", mass)}, {1}), {{0, 0, 0}}, k);
    const double theta = 2.0 * std::asin(0.5 * std::sqrt(k / mass) * dt);
    State state;
    state.x = {{amplitude, 0, 0}};
    state.v = {{(amplitude - amplitude * std::cos(theta)) / dt, 0, 0}};  // (x_0 - x_-1)/dt
    LeapFrog integrator(dt);
    for (int n = 1; n <= 1000; ++n) {
        system.step(integrator, state);
        REQUIRE(std::abs(state.x[0].x - amplitude * std::cos(n * theta)) < 1e-9);
    }
    const OnStep before = integrator.on_step(state);
    CHECK(before.x[0].x == Approx(amplitude * std::cos(999 * theta)).margin(1e-9));
    CHECK(before.v(0).x == Approx(-amplitude * std::sin(999 * theta) * std::sin(theta) / dt).margin(1e-7));
}

// Free rotation: the mean over the two half steps of sum m v.v about the centre equals minus the trace of the virial of
// the constraint forces, at any dt, so that rigid bonds leave no error in the pressure.
TEST_CASE("half-step kinetic energy and constraint virial cancel for rotation") {
    MoleculeType dumbbell = ethyl();
    dumbbell.atoms.resize(2);
    dumbbell.bonds.clear();
    dumbbell.constraints = {{0, 1, 0.109}};
    const Springs system(topology({dumbbell, rigid_water()}, {1, 0}), {{0, 0, 0}, {0.109, 0, 0}}, 0.0);
    State state;
    state.x = system.home;
    state.v = {{0, -1.008 * 0.5, 0}, {0, 12.01 * 0.5, 0}};
    prepare_dynamics(state, system.atoms, system.constraints, alone());
    LeapFrog integrator(0.004);
    for (int i = 0; i < 20; ++i) system.step(integrator, state, Need::yes);
    const KineticEnergies kinetic = kinetic_energies(system.atoms, integrator.on_step(state), alone());
    const Mat3d w = integrator.constraint_virial(alone()).virial();
    CHECK(w[0].x + w[1].y + w[2].z == Approx(-2.0 * kinetic.half_step).epsilon(1e-9));
    CHECK(kinetic.on_step < kinetic.half_step * 0.99);
    CHECK(kinetic.tensor[0].x + kinetic.tensor[1].y + kinetic.tensor[2].z == Approx(kinetic.half_step).epsilon(1e-12));
}

TEST_CASE("rigid water keeps its shape and its energy, to second order in dt") {
    const Springs system = waters_on_springs(20);
    std::vector<double> spread;
    for (const double dt : {0.001, 0.002}) {
        State state = start(system, 0.5);
        // v(-dt/2) from v(0), so that both runs are samples of one trajectory.
        LeapFrog integrator(dt);
        double sum = 0.0, square = 0.0;
        const int steps = static_cast<int>(2.0 / dt);
        for (int n = 0; n < steps; ++n) {
            const double potential = system.potential(state);
            system.step(integrator, state);
            const double energy =
                potential + kinetic_energies(system.atoms, integrator.on_step(state), alone()).on_step;
            sum += energy / steps;
            square += energy * energy / steps;
        }
        spread.push_back(std::sqrt(square - sum * sum));
        CHECK(norm(state.x[0] - state.x[1]) == Approx(0.09572).epsilon(1e-12));
    }
    const double exponent = std::log2(spread[1] / spread[0]);
    INFO("spreads " << spread[0] << " and " << spread[1]);
    CHECK(exponent == Approx(2.0).margin(0.2));
}

TEST_CASE("the bits are the same for 1 to 4 threads and when continued from a copy") {
    MoleculeType group = ethyl();
    for (int h = 1; h <= 3; ++h) group.constraints.push_back({0, h, 0.109});
    std::vector<Vec3d> home = water_positions(600, 23);
    for (int i = 0; i < 200; ++i) append_ethyl(home, {0.5 * i, 5.0, 0});
    const Springs system(topology({rigid_water(), group}, {600, 200}), home, 1500.0);
    const auto make = [](int kind) -> std::unique_ptr<Integrator> {
        if (kind == 0) return std::make_unique<LeapFrog>(0.002);
        return std::make_unique<Langevin>(Langevin::Settings{0.002, 1.0, 77});
    };
    for (const int kind : {0, 1}) {
        State reference = start(system, 0.4);
        Mat3d virial{};
        for (int threads = 1; threads <= 4; ++threads) {
            const Threads with(threads);
            State state = start(system, 0.4);
            auto integrator = make(kind);
            for (int n = 0; n < 30; ++n) {
                if (n == 13) {  // as a continuation does: nothing but the state is kept
                    integrator = make(kind);
                    const State copy = state;
                    state = copy;
                }
                system.step(*integrator, state, Need::yes);
            }
            if (threads == 1) {
                reference = state;
                virial = integrator->constraint_virial(alone()).virial();
            }
            CHECK(state.x == reference.x);
            CHECK(state.v == reference.v);
            CHECK((state.coupling.heat.units() == reference.coupling.heat.units()));
            CHECK(integrator->constraint_virial(alone()).virial() == virial);
        }
    }
}

TEST_CASE("frozen atoms do not move") {
    Springs system(topology({single("X", 12.0)}, {3}), {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, 500.0);
    system.atoms.inverse_mass[1] = 0.0;
    State state;
    state.x = {{0.1, 0, 0}, {1.1, 0, 0}, {2.1, 0, 0}};
    state.v.assign(3, {0.3, 0.2, 0.1});
    prepare_dynamics(state, system.atoms, system.constraints, alone());
    LeapFrog integrator(0.002);
    for (int n = 0; n < 10; ++n) {
        const auto f = spring_forces(state.x, system.home, system.k);
        integrator.step(state, {system.atoms, system.constraints, f, {{0.1, 0, 0}, 1.1}, 0.0, Need::no});
    }
    CHECK(state.x[1] == Vec3d{1.1, 0, 0});
    CHECK(state.v[1] == Vec3d{});
    CHECK(!(state.x[0] == Vec3d{0.1, 0, 0}));
}
