// SPDX-License-Identifier: Apache-2.0
#include "forces/bonded/add_forces.h"
#include "forces/bonded/bonded_lists.h"
#include "physics/pair_formulas.h"

namespace mdsim::bonded {

namespace {

void add_harmonic_pair(int i, int j, double k, double r0, Term term, const Context& context) {
    const Vec3d d = at(context, i) - at(context, j);
    add_pair(i, j, d, physics::harmonic_bond(d, k, r0), term, context);
}

}  // namespace

void add_bonds(std::span<const Bond> bonds, const Context& context) {
    for (const Bond& b : bonds) add_harmonic_pair(b.i, b.j, b.k, b.r0, Term::bond, context);
}

void add_urey_bradleys(std::span<const UreyBradley> terms, const Context& context) {
    for (const UreyBradley& u : terms) {
        add_harmonic_pair(u.i, u.k, u.force_constant, u.r0, Term::urey_bradley, context);
    }
}

void add_pairs(std::span<const Pair14> pairs, double coulomb_constant, PairTerms terms, const Context& context) {
    using Ops = physics::ScalarOps<double>;
    using Lj = physics::LjPlain<Ops>;
    using Coulomb = physics::CoulombReactionField<Ops>;
    const auto lj = physics::lj_tail_cut();
    const auto plain = physics::coulomb_tail_plain();
    for (const Pair14& p : pairs) {
        const Vec3d d = at(context, p.i) - at(context, p.j);
        const double r2 = norm2(d), inverse_r = Ops::inverse_sqrt(r2);
        const double c6 = 6.0 * p.lj.c6, c12 = 12.0 * p.lj.c12, qq = coulomb_constant * p.charge_product;
        const Vec3d force =
            (Lj::force_over_r(lj, r2, inverse_r, c6, c12) + Coulomb::force_over_r(plain, r2, inverse_r, qq)) * d;
        context.slot.add_pair(static_cast<std::size_t>(p.i), static_cast<std::size_t>(p.j), force);
        context.add_energy(terms.lj, Lj::energy(lj, r2, inverse_r, c6, c12));
        context.add_energy(terms.coulomb, Coulomb::energy(plain, r2, inverse_r, qq));
        context.add_virial(force, d);
    }
}

void add_angles(std::span<const Angle> angles, const Context& context) {
    for (const Angle& t : angles) {
        const Vec3d a = at(context, t.i) - at(context, t.j), b = at(context, t.k) - at(context, t.j);
        const physics::AngleResult result = physics::harmonic_angle(a, b, t.force_constant, t.theta0);
        add_angle({t.i, t.j, t.k}, a, b, result, context);
        context.add_energy(Term::angle, result.energy);
    }
}

void add_g96_bonds(std::span<const G96Bond> bonds, const Context& context) {
    for (const G96Bond& t : bonds) {
        const Vec3d d = at(context, t.i) - at(context, t.j);
        add_pair(t.i, t.j, d, physics::g96_bond(d, t.k, t.r0), Term::bond, context);
    }
}

void add_g96_angles(std::span<const G96Angle> angles, const Context& context) {
    for (const G96Angle& t : angles) {
        const Vec3d a = at(context, t.i) - at(context, t.j), b = at(context, t.k) - at(context, t.j);
        const physics::AngleResult result = physics::g96_angle(a, b, t.force_constant, t.cos_theta0);
        add_angle({t.i, t.j, t.k}, a, b, result, context);
        context.add_energy(Term::angle, result.energy);
    }
}

}  // namespace mdsim::bonded
