// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.h"
#include "physics/bonded/angle.h"
#include "physics/trigonometry.h"

namespace mdsim::physics {

/// The dihedral angle phi of four atoms i-j-k-l (IUPAC: 0 is cis, positive clockwise) as cosine and sine, and what the
/// forces need. From differences F = x_i - x_j, G = x_j - x_k, H = x_l - x_k; A = F x G, B = H x G
/// (Blondel and Karplus, J. Comput. Chem. 17 (1996) 1132, eqs. 4-10, 27).
struct DihedralGeometry {
    Vec3d f, g, h;  ///< differences [nm]
    Vec3d a, b;     ///< [nm^2]
    double a2, b2;  ///< their squares [nm^4]
    double length;  ///< |G| [nm]
    double cosine, sine;
};

inline DihedralGeometry dihedral_geometry(const Vec3d& f, const Vec3d& g, const Vec3d& h) {
    DihedralGeometry d{f, g, h, cross(f, g), cross(h, g), 0, 0, std::sqrt(norm2(g)), 1.0, 0.0};
    d.a2 = norm2(d.a);
    d.b2 = norm2(d.b);
    const double x = dot(d.a, d.b), y = -d.length * dot(f, d.b);
    const double size = std::sqrt(x * x + y * y);
    if (size > 0.0) {
        d.cosine = x / size;
        d.sine = y / size;
    }
    return d;
}

/// phi [rad] in (-pi, pi].
inline double dihedral_angle(const DihedralGeometry& d) {
    return angle_of(d.sine, d.cosine);
}

/// Forces [kJ/mol/nm] on the four atoms.
struct DihedralForces {
    Vec3d i, j, k, l;
};

/// Forces of a potential with slope dV/dphi [kJ/mol/rad] (eq. 27). None where three atoms are exactly in line.
inline DihedralForces dihedral_forces(const DihedralGeometry& d, double slope) {
    if (!(d.a2 > 0.0) || !(d.b2 > 0.0)) return {};
    const Vec3d on_i = (slope * d.length / d.a2) * d.a;
    const Vec3d on_l = (-slope * d.length / d.b2) * d.b;
    const double g2 = d.length * d.length;
    const Vec3d shared = (dot(d.f, d.g) / g2) * on_i + (dot(d.h, d.g) / g2) * on_l;
    return {on_i, -on_i - shared, shared - on_l, on_l};
}

/// Energy [kJ/mol] and slope dV/dphi [kJ/mol/rad].
struct TorsionResult {
    double energy, slope;
};

/// k (1 + cos(n phi - phase)) from cosine and sine of phi by repeated rotation: no angle is ever formed. k [kJ/mol],
/// n >= 0. Of anything that has a cosine and a sine.
template <class Geometry>
TorsionResult periodic_torsion(const Geometry& d, int n, double k, double cos_phase, double sin_phase) {
    double c = 1.0, s = 0.0;
    for (int m = 0; m < n; ++m) {
        const double next = c * d.cosine - s * d.sine;
        s = s * d.cosine + c * d.sine;
        c = next;
    }
    return {k * (1.0 + (c * cos_phase + s * sin_phase)), -k * n * (s * cos_phase - c * sin_phase)};
}

/// sum over n of c[n] cos^n(psi), psi = phi - pi (Ryckaert and Bellemans, Chem. Phys. Lett. 30 (1975) 123).
/// c [kJ/mol], 6 numbers.
inline TorsionResult ryckaert_bellemans_torsion(const DihedralGeometry& d, const double* c) {
    const double x = -d.cosine;
    double energy = c[5], slope = 0.0;  // slope: dV/dx
    for (int n = 4; n >= 0; --n) {
        slope = slope * x + energy;
        energy = energy * x + c[n];
    }
    return {energy, slope * d.sine};  // dx/dphi = sin(phi)
}

/// phi - phi0 in [-pi, pi].
inline double off_angle(const DihedralGeometry& d, double phi0) {
    const double off = dihedral_angle(d) - phi0;
    return off - 2.0 * std::numbers::pi * ScalarOps<double>::round(off * (0.5 * std::numbers::inv_pi));
}

/// k/2 (phi - phi0)^2, the difference taken into (-pi, pi]. k [kJ/mol/rad^2], phi0 [rad].
inline TorsionResult harmonic_torsion(const DihedralGeometry& d, double k, double phi0) {
    const double off = off_angle(d, phi0);
    return {0.5 * k * off * off, k * off};
}

/// k/2 (|phi - phi0| - range)^2 where that is more than 0, else nothing. k [kJ/mol/rad^2], phi0, range [rad]. GROMACS
/// Reference Manual 2022, "Dihedral restraints".
inline TorsionResult flat_bottomed_torsion(const DihedralGeometry& d, double k, double phi0, double range) {
    const double off = off_angle(d, phi0);
    const double beyond = off > range ? off - range : off < -range ? off + range : 0.0;
    return {0.5 * k * beyond * beyond, k * beyond};
}

/// k/2 (cos phi - cos phi0)^2 / sin^2 phi. k [kJ/mol]. Bulacu et al., J. Chem. Theory Comput. 9 (2013) 3282, eq. 7.
inline TorsionResult restricted_torsion(const DihedralGeometry& d, double k, double cos_phi0) {
    const double sine2 = d.sine * d.sine > least_sine2 ? d.sine * d.sine : least_sine2;
    const double bend = d.cosine - cos_phi0;
    return {0.5 * k * bend * bend / sine2, -k * bend * (1.0 - d.cosine * cos_phi0) * d.sine / (sine2 * sine2)};
}

/// sin^3 theta1 sin^3 theta2 sum over n of c[n] cos^n phi, theta1 at atom j, theta2 at atom k. c [kJ/mol], 5 numbers.
/// Bulacu et al., eq. 11. `torsion` has the slope with phi; `first` (forces on i and k) and `second` (on j and l) those
/// with the two cosines.
struct BendingTorsion {
    TorsionResult torsion;
    AngleResult first, second;
};
inline BendingTorsion bending_torsion(const DihedralGeometry& d, const double* c) {
    double series = c[4], derivative = 0.0;
    for (int n = 3; n >= 0; --n) {
        derivative = derivative * d.cosine + series;
        series = series * d.cosine + c[n];
    }
    const CosineGeometry first = cosine_geometry(d.f, -d.g), second = cosine_geometry(d.g, d.h);
    const double sine1 = std::sqrt(d.a2) * first.inverse_a * first.inverse_b;
    const double sine2 = std::sqrt(d.b2) * second.inverse_a * second.inverse_b;
    const double cube1 = sine1 * sine1 * sine1, cube2 = sine2 * sine2 * sine2;
    return {{cube1 * cube2 * series, -cube1 * cube2 * derivative * d.sine},
            forces_of_cosine_slope(first, 0.0, -3.0 * first.cosine * sine1 * cube2 * series),
            forces_of_cosine_slope(second, 0.0, -3.0 * second.cosine * sine2 * cube1 * series)};
}

/// Cosine and sine of the angle between a and b [nm], for terms that act on the angle between two vectors.
struct VectorAngle {
    AngleGeometry geometry;
    double cosine, sine;
};
inline VectorAngle vector_angle(const Vec3d& a, const Vec3d& b) {
    const AngleGeometry g = angle_geometry(a, b);
    const double size = std::sqrt(norm2(a) * norm2(b));
    return {g, dot(a, b) / size, g.sine / size};
}

struct Phase {
    double cosine, sine;
};

/// k (1 + cos(n theta - phase)) of the angle between a = x_j - x_i and b = x_l - x_k [nm]; forces on the heads j
/// (force_i) and l (force_k), the tails feel the opposite. GROMACS Reference Manual 2022, "Angle restraints", where the
/// phase is n theta0 + pi.
inline AngleResult periodic_vector_angle(const Vec3d& a, const Vec3d& b, int n, double k, Phase phase) {
    const VectorAngle v = vector_angle(a, b);
    const TorsionResult result = periodic_torsion(v, n, k, phase.cosine, phase.sine);
    return forces_of_slope(v.geometry, result.energy, result.slope);
}

}  // namespace mdsim::physics
