// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "core/vec3.h"

/// Virtual sites as GROMACS defines them (Reference Manual 2022, "Virtual interaction sites", eqs of that section;
/// Berendsen & van Gunsteren in Molecular Liquids: Dynamics and Interactions, Reidel 1984, 475; Feenstra, Hess &
/// Berendsen, J. Comput. Chem. 20 (1999) 786). Each form gives the displacement of the site from its first parent as a
/// function of the other parents' differences from that one, r_k = x_k - x_0 [nm], and, as `pull_back`, the forces on
/// these parents that have the power of a force f on the site: f_k = (d displacement / d r_k)^T f. The first parent
/// feels what is left of f.
namespace mdsim::physics {

/// length * w / |w|.
struct FixedLength {
    double length;  ///< [nm]

    Vec3d displacement(const Vec3d& w) const { return (length / norm(w)) * w; }
    Vec3d pull_back(const Vec3d& w, const Vec3d& f) const {
        const double inverse = 1.0 / norm(w);
        const Vec3d u = inverse * w;
        return (length * inverse) * (f - dot(u, f) * u);
    }
};

/// Fixed distance and angle in the plane of three parents (3fad): p along r_1, q along what of r_2 - r_1 is
/// perpendicular to it. p, q [nm].
struct PlaneAngle {
    double p, q;

    Vec3d displacement(const Vec3d& r1, const Vec3d& r2) const {
        return FixedLength{p}.displacement(r1) + FixedLength{q}.displacement(perpendicular(r1, r2));
    }
    std::array<Vec3d, 2> pull_back(const Vec3d& r1, const Vec3d& r2, const Vec3d& f) const {
        const Vec3d u = (1.0 / norm(r1)) * r1, s = r2 - r1;
        // perpendicular = s - (u.s) u, and u = r1/|r1|.
        const Vec3d g = FixedLength{q}.pull_back(perpendicular(r1, r2), f);
        const Vec3d on_s = g - dot(u, g) * u;
        const Vec3d on_u = dot(u, g) * s + dot(u, s) * g;
        const Vec3d on_r1 = FixedLength{p}.pull_back(r1, f) - FixedLength{1.0}.pull_back(r1, on_u);
        return {on_r1 - on_s, on_s};
    }

  private:
    static Vec3d perpendicular(const Vec3d& r1, const Vec3d& r2) {
        const Vec3d s = r2 - r1;
        return s - (dot(r1, s) / norm2(r1)) * r1;
    }
};

/// a r_1 + b r_2 + c r_1 x r_2 (3out). a, b without unit, c [1/nm].
struct OutOfPlane {
    double a, b, c;

    Vec3d displacement(const Vec3d& r1, const Vec3d& r2) const { return a * r1 + b * r2 + c * cross(r1, r2); }
    std::array<Vec3d, 2> pull_back(const Vec3d& r1, const Vec3d& r2, const Vec3d& f) const {
        return {a * f + c * cross(r2, f), b * f + c * cross(f, r1)};
    }
};

/// c along (a r_2 - r_1) x (b r_3 - r_1) (4fdn). c [nm], a and b without unit.
struct FourNormal {
    double c, a, b;

    Vec3d displacement(const Vec3d& r1, const Vec3d& r2, const Vec3d& r3) const {
        return FixedLength{c}.displacement(cross(a * r2 - r1, b * r3 - r1));
    }
    std::array<Vec3d, 3> pull_back(const Vec3d& r1, const Vec3d& r2, const Vec3d& r3, const Vec3d& f) const {
        const Vec3d ja = a * r2 - r1, jb = b * r3 - r1;
        const Vec3d g = FixedLength{c}.pull_back(cross(ja, jb), f);
        const Vec3d on_ja = cross(jb, g), on_jb = cross(g, ja);
        return {-(on_ja + on_jb), a * on_ja, b * on_jb};
    }
};

}  // namespace mdsim::physics
