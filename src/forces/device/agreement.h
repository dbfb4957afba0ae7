// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "forces/force_sink.h"
#include "gpu/kernels/cluster_forces.h"

namespace mdsim {

/// What a device has computed; energies and virial too.
struct DeviceResult {
    std::span<const kernels::AtomForce> forces;  ///< of each home atom [2^-12 kJ/mol/nm]
    const EnergySums& energies;
    std::int64_t atoms;                 ///< that the energies are of
    std::span<const std::int64_t> ids;  ///< global numbers of home atoms; empty: their places
};

/// Throws (internal error, MD707) where forces, energies or virial of a device are not those of the host for the same
/// positions. Single precision leaves 3e-5 of the forces at most; what is wrong differs by far more than the 1e-4 that
/// are let pass. Energies and virial are sums of both signs: 1e-3 and 5e-3 kJ/mol an atom come on top.
void require_agreement(const DeviceResult& device, const ForceSink& host, const std::string& name);

}  // namespace mdsim
