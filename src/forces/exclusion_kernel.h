// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "physics/pair_tails.h"
#include "system/energies.h"

namespace mdsim {

/// Pairs that the kernel takes at a time; arrays are padded to it.
inline constexpr int exclusion_block = 64;

/// One block: differences and charge products in, forces and energies out. Aligned to whole vectors.
struct ExclusionBlock {
    alignas(64) double r2[exclusion_block];      ///< [nm^2]
    alignas(64) double qq[exclusion_block];      ///< [kJ nm/mol]
    alignas(64) double force[exclusion_block];   ///< F/r [kJ/mol/nm^2]
    alignas(64) double energy[exclusion_block];  ///< [kJ/mol]; written where asked for
};

/// -qq S(r) of a block, S the smooth part of the split, by the widest vectors that this processor has: erf(beta r)/r
/// for beta r below physics::ewald_rational_limit, that of prolates up to the cutoff.
void ewald_exclusions(const physics::CoulombTail<double>& tail, bool energies, ExclusionBlock& block);

}  // namespace mdsim
