// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "core/vec3.h"
#include "physics/pair_formulas.h"

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

/// Energy V(r) and force of a pair from its slope dV/dr [kJ/mol/nm].
inline PairResult along_pair(const Vec3d& d, double r, double energy, double slope) {
    return {energy, (r > 0.0 ? -slope / r : 0.0) * d};
}

/// D (1 - exp(-beta (r - r0)))^2. D [kJ/mol], beta [1/nm], r0 [nm]. Morse, Phys. Rev. 34 (1929) 57.
inline PairResult morse_bond(const Vec3d& d, double depth, double beta, double r0) {
    const double r = std::sqrt(norm2(d));
    // exp_minus is exact for negative arguments as well, as far as its result is finite.
    const double shrink = beta * (r - r0);
    const double e = exp_minus<ScalarOps<double>>(shrink > -300.0 ? shrink : -300.0);
    return along_pair(d, r, depth * (1.0 - e) * (1.0 - e), 2.0 * depth * beta * (1.0 - e) * e);
}

/// k (r - r0)^2 (1 + c (r - r0)). k [kJ/mol/nm^2], c [1/nm], r0 [nm]. GROMACS Reference Manual 2022, "Cubic bond
/// stretching potential".
inline PairResult cubic_bond(const Vec3d& d, double k, double r0, double c) {
    const double r = std::sqrt(norm2(d));
    const double stretch = r - r0;
    return along_pair(d, r, k * stretch * stretch * (1.0 + c * stretch), k * stretch * (2.0 + 3.0 * c * stretch));
}

/// The natural logarithm of a normal x > 0, to 3e-16. Own, because the bits of the C library's depend on the machine:
/// x = m 2^e with m in [sqrt(1/2), sqrt(2)], ln m = 2 artanh((m - 1)/(m + 1)).
inline double logarithm(double x) {
    int exponent = 0;
    double m = std::frexp(x, &exponent);  // exact
    if (m < 0.5 * std::numbers::sqrt2) {
        m *= 2.0;
        --exponent;
    }
    const double t = (m - 1.0) / (m + 1.0), t2 = t * t;
    const double series = horner<ScalarOps<double>>(t2, 1.0, 1.0 / 3, 1.0 / 5, 1.0 / 7, 1.0 / 9, 1.0 / 11, 1.0 / 13,
                                                    1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21);
    return 2.0 * t * series + exponent * std::numbers::ln2;
}

/// -k/2 b^2 ln(1 - (r/b)^2), of beads that cannot be farther apart than b. k [kJ/mol/nm^2], b [nm]. Bird et al.,
/// Dynamics of Polymeric Liquids (1977). Where r comes near to b or beyond, 1 - (r/b)^2 is taken to be 1e-12: an energy
/// and a force beyond all bounds, which the watchdog tells.
inline PairResult fene_bond(const Vec3d& d, double k, double b) {
    const double left = 1.0 - norm2(d) / (b * b);
    const double held = left > 1e-12 ? left : 1e-12;
    return {-0.5 * k * b * b * logarithm(held), (-k / held) * d};
}

/// Nothing for r in [low, up1], k/2 of the square of the distance from that range outside, and beyond up2 a straight
/// line on. k [kJ/mol/nm^2], distances [nm]. GROMACS Reference Manual 2022, "Distance restraints" and bond function 10.
inline PairResult flat_bottomed_pair(const Vec3d& d, double k, double low, double up1, double up2) {
    const double r = std::sqrt(norm2(d));
    const double off = r < low ? r - low : r > up1 ? r - up1 : 0.0;
    const double most = up2 - up1;
    if (off <= most) return along_pair(d, r, 0.5 * k * off * off, k * off);
    return along_pair(d, r, k * most * (off - 0.5 * most), k * most);
}

}  // namespace mdsim::physics
