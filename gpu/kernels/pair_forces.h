// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "gpu/kernels/pair_list/pair_pruning.h"
#include "physics/pair_tails.h"
#include "system/nonbonded.h"

namespace mdsim::kernels {

/// Charges [(kJ nm/mol)^(1/2)] and types of a cluster. Slots that repeat an atom and atoms without Lennard-Jones
/// parameters have the last type; the former have no charge.
struct alignas(32) ClusterParameters {
    float q[cluster_size];
    std::int32_t type[cluster_size];
};

/// 6 c6 and 12 c12 of two types, times 2^12; zero for the last type with any.
struct alignas(8) PairTypes {
    float six_c6, twelve_c12;
};

enum class CoulombForm { reaction_field, ewald_rational, ewald_polynomial };

/// Sums of all pairs [2^-32 kJ/mol], each addend rounded by itself: the energies and the virial of pairs, force times
/// distance. A sum is low + 2^32 high, so that it cannot overflow.
struct PairSums {
    enum Index { lj, coulomb, xx, yy, zz, xy, xz, yz, count };
    std::int64_t low[count], high[count];
};
/// How many of these the tiles share: each tile adds to one of them, so that not all wait for the same words.
inline constexpr unsigned pair_sum_parts = 64;

/// Largest force of a pair [kJ/mol/nm], a little below 2^27 units: the sums of a lane, up to 16 of them, then fit 32
/// bits.
inline constexpr float pair_force_limit = 32000.0f;

/// The largest ClusterForces::high_shift with which `most_additions` sums keep the first words within +-3 2^29 units,
/// which leaves the mesh 131072 kJ/mol/nm.
constexpr int high_shift_for(std::uint32_t most_additions) {
    int shift = 31;
    while (shift > 1 && (std::uint64_t{most_additions} << (shift - 1)) > (std::uint64_t{3} << 29)) --shift;
    return shift;
}

/// Short-range forces of the pairs of a list, each component rounded once to 2^-12 kJ/mol/nm. The bits of a pair's
/// force depend on the two positions and parameters alone; whether everything is wanted makes no difference to them.
struct PairForcesArgs {
    TilePairs pairs;
    unsigned row_count = 0;
    const ClusterPoints* points = nullptr;
    const ClusterParameters* parameters = nullptr;
    const PairTypes* types = nullptr;  ///< [type_count][type_count]
    int type_count = 0;
    LatticeMetric<float> metric;
    float cutoff2 = 0.0f;  ///< [nm^2]
    LennardJones lennard_jones = LennardJones::cut;
    CoulombForm coulomb_form = CoulombForm::reaction_field;
    physics::LjTail<float> lj;
    physics::CoulombTail<float> coulomb;
    bool everything = false;          ///< energies and virial too
    ClusterForces* forces = nullptr;  ///< added to
    ClusterForces* high = nullptr;    ///< second words, added to: what of a sum of pairs is beyond +-2^(high_shift - 1)
    int high_shift = 0;
    PairSums* sums = nullptr;     ///< [pair_sum_parts], added to where everything is wanted
    ForceFlags* flags = nullptr;  ///< [1]; out of range where a pair is beyond pair_force_limit
};
MDSIM_LAUNCH_FUNCTION(add_pair_forces, PairForcesArgs);

}  // namespace mdsim::kernels
