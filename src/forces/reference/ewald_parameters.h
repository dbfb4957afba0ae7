// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "forces/mesh/pme_parameters.h"

namespace mdsim {

struct EwaldRequest {
    double cutoff = 0.9;              ///< of the direct sum [nm]
    double force_error = 5e-4;        ///< RMS error over RMS total electrostatic force
    std::optional<double> splitting;  ///< beta [1/nm]; given, it is kept and the sum over wave vectors converged
};

/// Of the plain Ewald sum.
struct EwaldParameters {
    double splitting = 0.0;         ///< beta [1/nm]
    double largest_k2 = 0.0;        ///< of the wave vectors that are summed [nm^-2]; 0: all that matter in double
    double direct_error = 0.0;      ///< expected RMS force error of the cutoff over the RMS electrostatic force
    double reciprocal_error = 0.0;  ///< that of leaving out larger wave vectors
    double force_error() const;     ///< both together
};

/// The smallest splitting and the fewest wave vectors whose expected error is 0.9 times the request, shared evenly
/// between both sums. Depends on box and charges alone. Direct sum: mesh::direct_force_error. Wave vectors beyond k:
/// ke <q^2> sqrt(8 N beta^2/(V k)) exp(-k^2/(4 beta^2)), from charges without correlation (Kolafa & Perram, Mol. Simul.
/// 9 (1992) 351, section 3).
EwaldParameters choose_ewald(const EwaldRequest& request, const Box& box, const mesh::ChargeStatistics& charges,
                             double coulomb_constant);

}  // namespace mdsim
