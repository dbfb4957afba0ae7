// SPDX-License-Identifier: Apache-2.0
#include "forces/bonded/add_forces.h"
#include "forces/bonded/bonded_lists.h"

namespace mdsim::bonded {

namespace {

physics::PairResult result_of(const TwoAtomTerm& t, const Vec3d& d) {
    const auto& p = t.p;
    switch (t.form) {
        case TwoAtomForm::morse:
            return physics::morse_bond(d, p[0], p[1], p[2]);
        case TwoAtomForm::cubic:
            return physics::cubic_bond(d, p[0], p[1], p[2]);
        case TwoAtomForm::fene:
            return physics::fene_bond(d, p[0], p[1]);
        case TwoAtomForm::flat_bottomed:
            return physics::flat_bottomed_pair(d, p[0], p[1], p[2], p[3]);
        case TwoAtomForm::angle_with_z:
            break;
    }
    // Of the vector from i to j, which is -d.
    const auto angle = physics::periodic_vector_angle(-d, {0.0, 0.0, 1.0}, static_cast<int>(p[1]), p[0], {p[2], p[3]});
    return {angle.energy, -angle.force_i};
}

physics::AngleResult result_of(const ThreeAtomTerm& t, const Vec3d& a, const Vec3d& b) {
    const auto& p = t.p;
    switch (t.form) {
        case ThreeAtomForm::bond_bond:
            return physics::bond_bond_cross(a, b, p[0], p[1], p[2]);
        case ThreeAtomForm::bond_angle:
            return physics::bond_angle_cross(a, b, p[0], {p[1], p[2], p[3]});
        case ThreeAtomForm::quartic:
            return physics::quartic_angle(a, b, p[0], &p[1]);
        case ThreeAtomForm::linear:
            return physics::linear_angle(a, b, p[0], p[1]);
        case ThreeAtomForm::restricted:
            break;
    }
    return physics::restricted_angle(a, b, p[0], p[1]);
}

// The angle between the vectors i -> j and k -> l: two pairs of opposite forces.
void add_angle_restraint(const FourAtomTerm& t, const Context& context) {
    const Vec3d a = at(context, t.j) - at(context, t.i), b = at(context, t.l) - at(context, t.k);
    const auto result = physics::periodic_vector_angle(a, b, static_cast<int>(t.p[1]), t.p[0], {t.p[2], t.p[3]});
    add_pair(t.j, t.i, a, {result.energy, result.force_i}, Term::restraint, context);
    add_pair(t.l, t.k, b, {0.0, result.force_k}, Term::restraint, context);
}

void add_bending_torsion(const Quadruple& q, const double* c, const Context& context) {
    const physics::DihedralGeometry d = geometry(q, context);
    const physics::BendingTorsion result = physics::bending_torsion(d, c);
    add_torsion(q, d, result.torsion.slope, context);
    add_angle({q.i, q.j, q.k}, d.f, -d.g, result.first, context);
    add_angle({q.j, q.k, q.l}, d.g, d.h, result.second, context);
    context.add_energy(Term::proper_dihedral, result.torsion.energy);
}

}  // namespace

void add_two_atom_terms(std::span<const TwoAtomTerm> terms, const Context& context) {
    for (const TwoAtomTerm& t : terms) {
        const bool restraint = t.form == TwoAtomForm::flat_bottomed || t.form == TwoAtomForm::angle_with_z;
        const Vec3d d = at(context, t.i) - at(context, t.j);
        add_pair(t.i, t.j, d, result_of(t, d), restraint ? Term::restraint : Term::bond, context);
    }
}

void add_three_atom_terms(std::span<const ThreeAtomTerm> terms, const Context& context) {
    for (const ThreeAtomTerm& t : terms) {
        const Vec3d a = at(context, t.i) - at(context, t.j), b = at(context, t.k) - at(context, t.j);
        const physics::AngleResult result = result_of(t, a, b);
        add_angle({t.i, t.j, t.k}, a, b, result, context);
        context.add_energy(Term::angle, result.energy);
    }
}

void add_four_atom_terms(std::span<const FourAtomTerm> terms, const Context& context) {
    for (const FourAtomTerm& t : terms) {
        const Quadruple q{t.i, t.j, t.k, t.l};
        if (t.form == FourAtomForm::vector_angle) {
            add_angle_restraint(t, context);
        } else if (t.form == FourAtomForm::bending_torsion) {
            add_bending_torsion(q, t.p.data(), context);
        } else {
            const bool restraint = t.form == FourAtomForm::flat_bottomed;
            const physics::DihedralGeometry d = geometry(q, context);
            const physics::TorsionResult result = restraint ? physics::flat_bottomed_torsion(d, t.p[0], t.p[1], t.p[2])
                                                            : physics::restricted_torsion(d, t.p[0], t.p[1]);
            add_torsion(q, d, result.slope, context);
            context.add_energy(restraint ? Term::restraint : Term::proper_dihedral, result.energy);
        }
    }
}

}  // namespace mdsim::bonded
