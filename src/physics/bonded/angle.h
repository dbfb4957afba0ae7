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

/// The angle theta between a = x_i - x_j and b = x_k - x_j [nm]. atan2(|a x b|, a.b) is well conditioned near 0 and pi.
struct AngleGeometry {
    Vec3d a, b, c;  ///< c = a x b [nm^2]
    double sine;    ///< |c| [nm^2]
    double theta;   ///< [rad]
};
inline AngleGeometry angle_geometry(const Vec3d& a, const Vec3d& b) {
    const Vec3d c = cross(a, b);
    const double sine = std::sqrt(norm2(c));
    return {a, b, c, sine, angle_of(sine, dot(a, b))};
}

/// Forces of a potential with slope dV/dtheta [kJ/mol/rad]; d theta/d a = a x (a x b) / (a^2 |a x b|). On the exact
/// line they have no direction and are left out.
inline AngleResult forces_of_slope(const AngleGeometry& g, double energy, double slope) {
    AngleResult result{energy, {}, {}};
    if (g.sine > 0.0) {
        const double f = -slope / g.sine;
        result.force_i = (f / norm2(g.a)) * cross(g.a, g.c);
        result.force_k = (-f / norm2(g.b)) * cross(g.b, g.c);
    }
    return result;
}

/// k/2 (theta - theta0)^2. k [kJ/mol/rad^2], theta0 [rad].
inline AngleResult harmonic_angle(const Vec3d& a, const Vec3d& b, double k, double theta0) {
    const AngleGeometry g = angle_geometry(a, b);
    const double bend = g.theta - theta0;
    return forces_of_slope(g, 0.5 * k * bend * bend, k * bend);
}

/// sum over n of c[n] (theta - theta0)^n. c [kJ/mol/rad^n], 5 numbers, theta0 [rad]. GROMACS Reference Manual 2022,
/// "Quartic angle potential".
inline AngleResult quartic_angle(const Vec3d& a, const Vec3d& b, double theta0, const double* c) {
    const AngleGeometry g = angle_geometry(a, b);
    const double bend = g.theta - theta0;
    double energy = c[4], slope = 0.0;
    for (int n = 3; n >= 0; --n) {
        slope = slope * bend + energy;
        energy = energy * bend + c[n];
    }
    return forces_of_slope(g, energy, slope);
}

/// cos theta of a and b [nm] and its gradients: d cos theta/d a = (b/|b| - cos theta a/|a|) / |a|.
struct CosineGeometry {
    double inverse_a, inverse_b;  ///< [1/nm]
    Vec3d unit_a, unit_b;
    double cosine;
};
inline CosineGeometry cosine_geometry(const Vec3d& a, const Vec3d& b) {
    const double inverse_a = 1.0 / std::sqrt(norm2(a)), inverse_b = 1.0 / std::sqrt(norm2(b));
    const Vec3d unit_a = inverse_a * a, unit_b = inverse_b * b;
    return {inverse_a, inverse_b, unit_a, unit_b, dot(unit_a, unit_b)};
}

/// Forces of a potential with slope dV/d cos theta [kJ/mol].
inline AngleResult forces_of_cosine_slope(const CosineGeometry& g, double energy, double slope) {
    return {energy, (-slope * g.inverse_a) * (g.unit_b - g.cosine * g.unit_a),
            (-slope * g.inverse_b) * (g.unit_a - g.cosine * g.unit_b)};
}

/// k/2 (cos theta - cos theta0)^2. k [kJ/mol]. GROMACS Reference Manual 2022, "Cosine based angle potential".
inline AngleResult g96_angle(const Vec3d& a, const Vec3d& b, double k, double cos_theta0) {
    const CosineGeometry g = cosine_geometry(a, b);
    const double bend = g.cosine - cos_theta0;
    return forces_of_cosine_slope(g, 0.5 * k * bend * bend, k * bend);
}

/// How near to 0 or pi an angle whose potential is infinite there is taken to come, as the square of its sine.
inline constexpr double least_sine2 = 1e-12;

/// k/2 (cos theta - cos theta0)^2 / sin^2 theta, restricted bending. k [kJ/mol]. Bulacu et al., J. Chem. Theory Comput.
/// 9 (2013) 3282, eq. 4.
inline AngleResult restricted_angle(const Vec3d& a, const Vec3d& b, double k, double cos_theta0) {
    const CosineGeometry g = cosine_geometry(a, b);
    const Vec3d c = cross(g.unit_a, g.unit_b);
    const double sine2 = norm2(c) > least_sine2 ? norm2(c) : least_sine2;
    const double bend = g.cosine - cos_theta0;
    return forces_of_cosine_slope(g, 0.5 * k * bend * bend / sine2,
                                  k * bend * (1.0 - g.cosine * cos_theta0) / (sine2 * sine2));
}

/// k (|a| - r1) (|b| - r2). k [kJ/mol/nm^2], r1, r2 [nm]. GROMACS Reference Manual 2022, "Bond-Bond cross term".
inline AngleResult bond_bond_cross(const Vec3d& a, const Vec3d& b, double k, double r1, double r2) {
    const double length_a = std::sqrt(norm2(a)), length_b = std::sqrt(norm2(b));
    const double stretch_a = length_a - r1, stretch_b = length_b - r2;
    return {k * stretch_a * stretch_b, (-k * stretch_b / length_a) * a, (-k * stretch_a / length_b) * b};
}

/// k (|a - b| - r3) (|a| - r1 + |b| - r2). k [kJ/mol/nm^2], r1, r2, r3 [nm]. GROMACS Reference Manual 2022, "Bond-Angle
/// cross term".
inline AngleResult bond_angle_cross(const Vec3d& a, const Vec3d& b, double k, const Vec3d& lengths) {
    const Vec3d d = a - b;
    const double length_a = std::sqrt(norm2(a)), length_b = std::sqrt(norm2(b)), length_d = std::sqrt(norm2(d));
    const double bonds = length_a - lengths.x + length_b - lengths.y, ends = length_d - lengths.z;
    const Vec3d along = (-k * bonds / length_d) * d;
    return {k * ends * bonds, along + (-k * ends / length_a) * a, (-k * ends / length_b) * b - along};
}

/// k/2 |x_j - w x_i - (1 - w) x_k|^2, for molecules in line. k [kJ/mol/nm^2]. GROMACS Reference Manual 2022, "Linear
/// Angle potential".
inline AngleResult linear_angle(const Vec3d& a, const Vec3d& b, double k, double w) {
    const Vec3d off = w * a + (1.0 - w) * b;
    return {0.5 * k * norm2(off), (-k * w) * off, (-k * (1.0 - w)) * off};
}

}  // namespace mdsim::physics
