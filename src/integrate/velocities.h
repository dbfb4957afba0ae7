// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "integrate/constraints/constraint_set.h"
#include "parallel/comm.h"
#include "system/preparation/constraint_choice.h"
#include "system/state.h"

namespace mdsim {

/// Velocity of the centre of mass of the atoms of all ranks [nm/ps] from fixed-point sums of momentum and mass. Zero
/// where any atom is frozen: it holds the frame. Called by all ranks.
Vec3d centre_of_mass_velocity(const AtomParameters& atoms, std::span<const Vec3d> v, const Comm& comm);

struct VelocityRequest {
    double temperature;  ///< [K]
    double degrees;      ///< of freedom, with the three of the centre of mass taken off where it is removed
    std::uint64_t seed;
    ComRemoval removal;
};

/// Gives every atom a velocity of the Maxwell-Boltzmann distribution, keyed by seed, step and id of the atom; takes off
/// the motion of the centre of mass, makes them satisfy the constraints at state.x (which must satisfy them) and scales
/// them to exactly the wanted temperature. Called by all ranks; where constraints fail on one, all throw.
void generate_velocities(State& state, const AtomParameters& atoms, const ConstraintSet& constraints,
                         const VelocityRequest& request, const Comm& comm);

}  // namespace mdsim
