// SPDX-License-Identifier: Apache-2.0
#include "observe/kinetic_energy.h"

#include <catch2/catch.hpp>

#include "core/units.h"

using namespace mdsim;

// Two atoms: 2 u at (1,0,0) then (3,0,0) nm/ps; 4 u at (0,1,1) twice.
TEST_CASE("kinetic energies of the half steps and on step") {
    const Comm alone;
    AtomParameters atoms;
    atoms.mass = {2.0, 4.0};
    atoms.inverse_mass = {0.5, 0.0};
    const std::vector<Vec3d> before{{1, 0, 0}, {0, 1, 1}}, after{{3, 0, 0}, {0, 1, 1}};
    const KineticEnergies k = kinetic_energies(atoms, {{}, before, after}, alone);
    CHECK(k.half_step == 0.5 * (1.0 + 9.0) + 4.0);
    CHECK(k.on_step == 4.0 + 4.0);
    CHECK(k.tensor[0] == Vec3d{5, 0, 0});
    CHECK(k.tensor[1] == Vec3d{0, 2, 2});
    CHECK(kinetic_energy(atoms, before, alone, {0.5, 0, 0}) == 0.25);
}

// One mole-like check of units: N k T / V of 1000 particles at 300 K in 100 nm^3 is 414.195 bar
// (1000 * 1.380649e-23 * 300 / 100e-27 Pa = 4.141947e7 Pa).
TEST_CASE("pressure is in bar") {
    const double kinetic = 1.5 * 1000 * units::boltzmann * 300.0;
    const Mat3d k{Vec3d{kinetic / 3, 0, 0}, Vec3d{0, kinetic / 3, 0}, Vec3d{0, 0, kinetic / 3}};
    Mat3d p = pressure_tensor(k, {}, 100.0, 0.0);
    CHECK(mean_pressure(p) == Approx(414.1947).epsilon(1e-6));
    const Mat3d w{Vec3d{3, 0.5, 0}, Vec3d{}, Vec3d{}};
    p = pressure_tensor({}, w, 2.0, -10.0);
    CHECK(p[0].x == Approx(1.5 * 16.6053907 - 10.0).epsilon(1e-8));
    CHECK(p[0].y == Approx(0.25 * 16.6053907).epsilon(1e-8));
    CHECK(p[1].y == -10.0);
}
