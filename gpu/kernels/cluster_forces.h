// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pairs/cluster_layout.h"

namespace mdsim::kernels {

/// Sums of forces on the atoms of a cluster, axis by axis [2^-12 kJ/mol/nm]. Short-range and mesh kernels add to the
/// same ones. What a sum of pairs has beyond what such a word can be trusted with is added to second words, in units of
/// 2^high_shift first ones.
struct alignas(32) ClusterForces {
    std::int32_t x[cluster_size], y[cluster_size], z[cluster_size];
};

/// What came up while forces were made; zero before.
struct ForceFlags {
    std::uint32_t out_of_range;  ///< the forces are of no use: they do not fit 32 bits
};

/// Three components for one atom, 12 bytes: what goes down from the device.
struct AtomForce {
    static constexpr std::int32_t out_of_range = INT32_MIN;  ///< in place of a component that is of no use

    std::int32_t x, y, z;
    friend bool operator==(const AtomForce&, const AtomForce&) = default;
};

}  // namespace mdsim::kernels
