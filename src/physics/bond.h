// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.h"

namespace mdsim::physics {

/// Energy [kJ/mol] of a pair and its force on the first atom [kJ/mol/nm]; the second feels the opposite.
struct PairResult {
    double energy;
    Vec3d force;
};

/// k/2 (r - r0)^2 of d = x_i - x_j [nm]. k [kJ/mol/nm^2], r0 [nm]. No force at r = 0, where it has no direction.
/// Also for Urey-Bradley terms.
inline PairResult harmonic_bond(const Vec3d& d, double k, double r0) {
    const double r = std::sqrt(norm2(d));
    const double stretch = r - r0;
    const double force_over_r = r > 0.0 ? -k * stretch / r : 0.0;
    return {0.5 * k * stretch * stretch, force_over_r * d};
}

/// k/4 (r^2 - r0^2)^2 of d = x_i - x_j [nm]. k [kJ/mol/nm^4], r0 [nm]. van Gunsteren et al., GROMOS96 manual (1996);
/// GROMACS Reference Manual 2022, "Fourth power potential".
inline PairResult g96_bond(const Vec3d& d, double k, double r0) {
    const double stretch = norm2(d) - r0 * r0;
    return {0.25 * k * stretch * stretch, (-k * stretch) * d};
}

}  // namespace mdsim::physics
