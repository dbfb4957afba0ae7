// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.h"
#include "physics/trigonometry.h"

namespace mdsim::physics {

/// Energy [kJ/mol] of three atoms i-j-k and the forces on the outer two [kJ/mol/nm]; j feels minus their sum.
struct AngleResult {
    double energy;
    Vec3d force_i, force_k;
};

/// k/2 (theta - theta0)^2 of a = x_i - x_j and b = x_k - x_j [nm]. k [kJ/mol/rad^2], theta0 [rad].
/// theta = atan2(|a x b|, a.b) is well conditioned near 0 and pi; d theta/d a = a x (a x b) / (a^2 |a x b|). On the
/// exact line the force has no direction and is left out.
inline AngleResult harmonic_angle(const Vec3d& a, const Vec3d& b, double k, double theta0) {
    const Vec3d c = cross(a, b);
    const double sine = std::sqrt(norm2(c));
    const double bend = angle_of(sine, dot(a, b)) - theta0;
    AngleResult result{0.5 * k * bend * bend, {}, {}};
    if (sine > 0.0) {
        const double f = -k * bend / sine;
        result.force_i = (f / norm2(a)) * cross(a, c);
        result.force_k = (-f / norm2(b)) * cross(b, c);
    }
    return result;
}

/// k/2 (cos theta - cos theta0)^2 of a = x_i - x_j and b = x_k - x_j [nm]. k [kJ/mol]. GROMACS Reference Manual 2022,
/// "Cosine based angle potential". d cos theta/d a = (b/|b| - cos theta a/|a|) / |a|.
inline AngleResult g96_angle(const Vec3d& a, const Vec3d& b, double k, double cos_theta0) {
    const double inverse_a = 1.0 / std::sqrt(norm2(a)), inverse_b = 1.0 / std::sqrt(norm2(b));
    const Vec3d unit_a = inverse_a * a, unit_b = inverse_b * b;
    const double cosine = dot(unit_a, unit_b);
    const double bend = cosine - cos_theta0;
    const double f = -k * bend;
    return {0.5 * k * bend * bend, (f * inverse_a) * (unit_b - cosine * unit_a),
            (f * inverse_b) * (unit_a - cosine * unit_b)};
}

}  // namespace mdsim::physics
