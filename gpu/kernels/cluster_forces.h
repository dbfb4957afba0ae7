// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pairs/cluster_layout.h"

namespace mdsim::kernels {

/// Sums of forces on the atoms of a cluster, axis by axis [2^-12 kJ/mol/nm]; they wrap, which is exact as long as the
/// final sum fits (core/fixed_point.h). Short-range and mesh kernels add to the same ones.
struct alignas(32) ClusterForces {
    std::int32_t x[cluster_size], y[cluster_size], z[cluster_size];
};

/// Three components for one atom, 12 bytes: what goes down from the device.
struct AtomForce {
    std::int32_t x, y, z;
    friend bool operator==(const AtomForce&, const AtomForce&) = default;
};

}  // namespace mdsim::kernels
