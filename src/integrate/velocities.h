// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "integrate/constraints/constraint_set.h"
#include "system/preparation/constraint_choice.h"
#include "system/state.h"

namespace mdsim {

/// Velocity of the centre of mass of all atoms [nm/ps] from fixed-point sums of momentum and mass. Zero where atoms are
/// frozen: they hold the frame.
Vec3d centre_of_mass_velocity(const AtomParameters& atoms, std::span<const Vec3d> v);

struct VelocityRequest {
    double temperature;  ///< [K]
    double degrees;      ///< of freedom, with the three of the centre of mass taken off where it is removed
    std::uint64_t seed;
    ComRemoval removal;
};

/// Gives every atom a velocity of the Maxwell-Boltzmann distribution, keyed by seed, step and atom; takes off the
/// motion of the centre of mass, makes them satisfy the constraints at state.x (which must satisfy them) and scales
/// them to exactly the wanted temperature.
void generate_velocities(State& state, const AtomParameters& atoms, const ConstraintSet& constraints,
                         const VelocityRequest& request);

}  // namespace mdsim
