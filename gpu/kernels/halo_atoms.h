// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gpu/api/launch.h"
#include "gpu/kernels/cluster_forces.h"
#include "system/lattice.h"

namespace mdsim::kernels {

/// The sum of the forces on an atom [2^-12 kJ/mol/nm]. Parts of it that several ranks have are added without a thought
/// about range, so the sum does not depend on who has which part.
struct WideForce {
    std::int64_t x, y, z;
    friend bool operator==(const WideForce&, const WideForce&) = default;
};

/// Points of some atoms, one behind the other as they travel.
struct PackPointsArgs {
    const LatticePoint* points = nullptr;  ///< of each atom
    const std::uint32_t* atoms = nullptr;  ///< [count]
    LatticePoint* message = nullptr;       ///< out, [count]
    unsigned count = 0;
};
MDSIM_LAUNCH_FUNCTION(pack_points, PackPointsArgs);

/// Adds force sums in the order of clusters to those in that of atoms: what scatter_forces has, but of any size, and
/// beside what other ranks may have added already.
struct WidenForcesArgs {
    const ClusterForces* clusters = nullptr;
    const ClusterForces* high = nullptr;  ///< second words
    int high_shift = 0;
    const std::uint32_t* slots = nullptr;  ///< of each atom (Clusters::slots)
    WideForce* forces = nullptr;           ///< of each atom, added to
    unsigned atom_count = 0;
};
MDSIM_LAUNCH_FUNCTION(widen_forces, WidenForcesArgs);

/// What another rank has computed for some atoms of this one.
struct AddForcesArgs {
    WideForce* forces = nullptr;           ///< of each atom, added to
    const std::uint32_t* atoms = nullptr;  ///< [count], none of them twice
    const WideForce* message = nullptr;    ///< [count]
    unsigned count = 0;
};
MDSIM_LAUNCH_FUNCTION(add_forces, AddForcesArgs);

/// Sums as the host wants them: AtomForce::out_of_range what does not fit 32 bits, and everything where the flags say
/// so.
struct NarrowForcesArgs {
    const WideForce* forces = nullptr;  ///< [count]
    const ForceFlags* flags = nullptr;  ///< [1]
    AtomForce* narrowed = nullptr;      ///< out, [count]
    unsigned count = 0;
};
MDSIM_LAUNCH_FUNCTION(narrow_forces, NarrowForcesArgs);

}  // namespace mdsim::kernels
