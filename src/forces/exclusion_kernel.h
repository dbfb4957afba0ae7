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

/// -qq erf(beta r)/r of a block by the widest vectors that this processor has; for beta r below
/// physics::ewald_rational_limit.
void ewald_exclusions(const physics::CoulombTail<double>& tail, bool energies, ExclusionBlock& block);

}  // namespace mdsim
