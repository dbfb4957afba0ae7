// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/fixed_point.h"
#include "core/vec3.h"
#include "forces/short_range/lj_combination.h"
#include "pairs/cluster_layout.h"
#include "physics/pair_tails.h"
#include "system/nonbonded.h"

namespace mdsim {

/// Charges [(kJ nm/mol)^(1/2)] and Lennard-Jones numbers (see LjSource; with a table `a` holds the bits of the type) of
/// a cluster.
struct alignas(32) MixedParameters {
    float q[cluster_size], a[cluster_size], b[cluster_size];
};
struct alignas(64) DoubleParameters {
    double q[cluster_size];
    std::int32_t type[cluster_size];
};

/// Forces on a cluster, in integer units: mixed 2^-12, double 2^-32 kJ/mol/nm.
struct alignas(32) MixedForces {
    std::int32_t x[cluster_size], y[cluster_size], z[cluster_size];
};
struct alignas(64) DoubleForces {
    std::int64_t x[cluster_size], y[cluster_size], z[cluster_size];
};

/// What pairs feel: the form of the formulas and their constants.
struct PairForm {
    LennardJones lennard_jones = LennardJones::cut;
    bool ewald = false;  ///< else plain Coulomb or reaction field
    bool rectangular = true;
    bool energies = false;
    LjSource source = LjSource::table;
    physics::LjTail<double> lj;
    physics::CoulombTail<double> coulomb;
    double cutoff2 = 0.0;    ///< [nm^2]
    double sum_limit = 0.0;  ///< of strengths, for 32-bit sums; see mixed_force_limit
};

/// Energies of the pairs of one part [2^-32 kJ/mol].
struct PairEnergySums {
    fixed::EnergySum::Wide lj = 0, coulomb = 0;
    bool clipped = false;  ///< a double kernel held a force or an energy, or took a distance for longer
};

/// One part of the list and where its results go. Forces are added; `shift_forces` (extent: shift_count) gets the sum
/// of the forces on the i side of all pairs by image.
template <class Parameters, class Forces, class Real>
struct PairArguments {
    PairForm form;
    LatticeMetric<Real> metric;
    std::span<const PairChunk> chunks;
    const ClusterPoints* points = nullptr;
    const Parameters* parameters = nullptr;
    const unsigned char* lj_rows = nullptr;
    const unsigned char* shells = nullptr;  ///< of each cluster, those to look through
    const Real* six_c6 = nullptr;           ///< of each pair of types, as wanted by the kernel
    const Real* twelve_c12 = nullptr;
    std::int32_t types = 0;
    Forces* forces = nullptr;
    DoubleForces* exact_forces = nullptr;  ///< in place of forces by mixed kernels with energies, in units of theirs
    Vec3l* shift_forces = nullptr;
    PairEnergySums* energies = nullptr;
    std::vector<std::uint32_t>* scratch = nullptr;  ///< of this thread
};
using MixedArguments = PairArguments<MixedParameters, MixedForces, float>;
using DoubleArguments = PairArguments<DoubleParameters, DoubleForces, double>;

/// The strength of a pair is |F/r| times the larger of r and 1 nm [kJ/mol/nm]; no component of its force is larger.
/// Pairs from this strength on are not for single precision. It is 2^29 units.
inline constexpr double mixed_force_limit = 131072.0;

/// Distances in double precision are taken for at least this [nm^2], so that atoms on top of each other get a finite
/// force.
inline constexpr double double_r2_floor = 1e-6;

/// All by the widest vectors of this processor. Whether energies are asked for makes no difference to the bits of a
/// force. A mixed kernel with energies adds forces up in 64 bits and returns false where a pair reaches
/// mixed_force_limit. One without adds up in 32 bits and returns false, with useless forces, where a sum of them might
/// not fit.
bool compute_mixed_lorentz(const MixedArguments& arguments);           ///< cut and shift, Lorentz-Berthelot
bool compute_mixed_plain(const MixedArguments& arguments);             ///< cut and shift, other combinations
bool compute_mixed_switched_lorentz(const MixedArguments& arguments);  ///< switched forms
bool compute_mixed_switched(const MixedArguments& arguments);          ///< switched forms, parameters from the table
void compute_double_pairs(const DoubleArguments& arguments);

}  // namespace mdsim
