// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forces/bonded/bonded_lists.h"
#include "physics/bonded/angle.h"
#include "physics/bonded/bond.h"
#include "physics/bonded/dihedral.h"

// How the result of a formula goes to the atoms of a term: each force is rounded once, and the one atom whose force
// follows from the others feels minus the sum of the integers.

namespace mdsim::bonded {

inline const Vec3d& at(const Context& context, int atom) {
    return context.x[static_cast<std::size_t>(atom)];
}

/// d = x_i - x_j [nm].
inline void add_pair(int i, int j, const Vec3d& d, const physics::PairResult& result, Term term,
                     const Context& context) {
    context.slot.add_pair(static_cast<std::size_t>(i), static_cast<std::size_t>(j), result.force);
    context.add_energy(term, result.energy);
    context.add_virial(result.force, d);
}

struct Triple {
    int i, j, k;
};

/// a and b point from the middle atom j to i and k.
inline void add_angle(const Triple& t, const Vec3d& a, const Vec3d& b, const physics::AngleResult& result,
                      const Context& context) {
    context.slot.add_pair(static_cast<std::size_t>(t.i), static_cast<std::size_t>(t.j), result.force_i);
    context.slot.add_pair(static_cast<std::size_t>(t.k), static_cast<std::size_t>(t.j), result.force_k);
    context.add_virial(result.force_i, a);
    context.add_virial(result.force_k, b);
}

struct Quadruple {
    int i, j, k, l;
};

inline physics::DihedralGeometry geometry(const Quadruple& q, const Context& context) {
    const Vec3d &j = at(context, q.j), &k = at(context, q.k);
    return physics::dihedral_geometry(at(context, q.i) - j, j - k, at(context, q.l) - k);
}

/// Of a potential with slope dV/dphi [kJ/mol/rad]; the virial is counted from atom j.
inline void add_torsion(const Quadruple& q, const physics::DihedralGeometry& d, double slope, const Context& context) {
    const physics::DihedralForces f = physics::dihedral_forces(d, slope);
    const auto j = static_cast<std::size_t>(q.j);
    context.slot.add_pair(static_cast<std::size_t>(q.i), j, f.i);
    context.slot.add_pair(static_cast<std::size_t>(q.k), j, f.k);
    context.slot.add_pair(static_cast<std::size_t>(q.l), j, f.l);
    context.add_virial(f.i, d.f);
    context.add_virial(f.k, -d.g);
    context.add_virial(f.l, d.h - d.g);
}

}  // namespace mdsim::bonded
