// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "integrate/integrator.h"
#include "integrate/systems.h"
#include "integrate/velocities.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

double trace(const Mat3d& m) {
    return m[0].x + m[1].y + m[2].z;
}

// Rigid molecules without forces: waters by SETTLE and by three plain constraints.
struct IdealGas {
    Topology topology;
    AtomParameters atoms;
    ConstraintSet constraints;
    std::vector<Vec3l> no_forces;
    State state;

    explicit IdealGas(int molecules)
        : topology(mdsim::test::topology({rigid_water(), constrained_water()}, {molecules / 2, molecules / 2})),
          atoms(parameters(topology)),
          constraints(topology, atoms),
          no_forces(atoms.mass.size()) {
        state.x = water_positions(molecules, 41);
        const auto degrees = static_cast<double>(degrees_of_freedom(topology, ComRemoval::no, {}));
        generate_velocities(state, atoms, constraints, {300.0, degrees, 7, ComRemoval::no}, alone());
        prepare_dynamics(state, atoms, constraints, alone());
    }

    // 2 K + W [kJ/mol] of one step, three times pressure times volume.
    double step(Langevin& integrator) {
        integrator.step(state, {atoms, constraints, no_forces, {}, 300.0, Need::yes});
        ++state.step;
        return 2.0 * kinetic_energies(atoms, integrator.on_step(state), alone()).half_step +
               trace(integrator.constraint_virial(alone()).virial());
    }

    // Sum of M V^2 over the molecules' centres of mass [kJ/mol].
    double twice_translation() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < atoms.mass.size(); i += 3) {
            Vec3d momentum;
            double mass = 0.0;
            for (std::size_t a = i; a < i + 3; ++a) {
                momentum += atoms.mass[a] * state.v[a];
                mass += atoms.mass[a];
            }
            sum += norm2(momentum) / mass;
        }
        return sum;
    }
};

}  // namespace

// The first step has no step before it, whose reset of positions would be in its virial.
TEST_CASE("without friction the pressure of rotating molecules is that of their centres at each step") {
    const Threads with(1);
    IdealGas gas(20);
    Langevin integrator({0.004, 0.0, 3});
    gas.step(integrator);
    for (int n = 0; n < 20; ++n) CHECK(gas.step(integrator) == Approx(gas.twice_translation()).epsilon(1e-7));
}

// P V = N kT. Without the share of friction and noise in the virial it would be higher by (1 - exp(-friction dt))/2 for
// each of three rotations: 9 % and 16 % here. The standard error is that of means over blocks of steps.
TEST_CASE("with any friction rigid molecules without forces have the pressure of the ideal gas") {
    const Threads with(1);
    const int molecules = 200, blocks = 20, block_steps = 200;
    for (const double dt : {0.002, 0.004}) {
        IdealGas gas(molecules);
        Langevin integrator({dt, 100.0, 3});
        for (int n = 0; n < 100; ++n) gas.step(integrator);
        double sum = 0.0, square = 0.0;
        for (int block = 0; block < blocks; ++block) {
            double mean = 0.0;
            for (int n = 0; n < block_steps; ++n) mean += gas.step(integrator) / block_steps;
            const double ratio = mean / (3.0 * molecules * units::boltzmann * 300.0);
            sum += ratio / blocks;
            square += ratio * ratio / blocks;
        }
        const double error = std::sqrt((square - sum * sum) / (blocks - 1));
        INFO("P V / N kT " << sum << " +- " << error << " with steps of " << dt << " ps");
        CHECK(error < 0.005);
        CHECK(std::abs(sum - 1.0) < 3.0 * error);
    }
}
