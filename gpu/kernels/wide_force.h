// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/api/kernel.h"
#include "gpu/kernels/halo_atoms.h"

namespace mdsim::kernels::MDSIM_BACKEND {

/// The sum in a slot: first words and second ones, in units of 2^high_shift first ones.
MDSIM_ON_DEVICE WideForce sum_in_slot(const ClusterForces* clusters, const ClusterForces* high, int high_shift,
                                      std::uint32_t slot) {
    const ClusterForces &f = clusters[slot / cluster_size], &g = high[slot / cluster_size];
    const std::uint32_t k = slot % cluster_size;
    const std::int64_t unit = std::int64_t{1} << high_shift;
    return {f.x[k] + g.x[k] * unit, f.y[k] + g.y[k] * unit, f.z[k] + g.z[k] * unit};
}

MDSIM_ON_DEVICE std::int32_t narrow(std::int64_t sum) {
    const auto word = static_cast<std::int32_t>(sum);
    return word == sum ? word : AtomForce::out_of_range;
}

/// In 32 bits, or of no use.
MDSIM_ON_DEVICE AtomForce narrow(const WideForce& sum, const ForceFlags& flags) {
    constexpr std::int32_t useless = AtomForce::out_of_range;
    if (flags.out_of_range != 0) return {useless, useless, useless};
    return {narrow(sum.x), narrow(sum.y), narrow(sum.z)};
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
