// SPDX-License-Identifier: Apache-2.0
// Non-bonded pair formulas, once for all kernels. A fragment without namespace and include guard: pair_formulas.h
// includes it for plain numbers; a SIMD kernel includes physics/ops.h and physics/pair_tails.h as usual, sets
// MDSIM_FORMULA anew to its "always inline", and includes this file inside its own namespace of each instruction set
// (after `using physics::LjTail; using physics::CoulombTail;`), so that the functions are compiled for that set.
//
// Everything is a function of r2 = r^2 [nm^2] and inverse_r = 1/r [1/nm]. Forces are F/r [kJ/mol/nm^2]: the force on i
// is F/r times (x_i - x_j). The Lennard-Jones parameters of a pair come as 6 c6 and 12 c12, as the force needs them;
// the charge product qq holds the Coulomb constant. Nothing here tests the cutoff.

#include "physics/error_function.inl"

/// One number of a tail in all lanes, field by field.
template <class Ops>
MDSIM_FORMULA LjTail<typename Ops::Real> spread(const LjTail<double>& t) {
    return {Ops::set(t.shift6),        Ops::set(t.shift12), Ops::set(t.switch_from), Ops::set(t.switch_from2),
            Ops::set(t.inverse_width), Ops::set(t.a6),      Ops::set(t.b6),          Ops::set(t.a12),
            Ops::set(t.b12),           Ops::set(t.k6),      Ops::set(t.k12),         Ops::set(t.cutoff_3),
            Ops::set(t.cutoff_6)};
}
template <class Ops, int n>
MDSIM_FORMULA void spread_all(const double (&from)[n], typename Ops::Real (&to)[n]) {
    for (int k = 0; k < n; ++k) to[k] = Ops::set(from[k]);
}
template <class Ops>
MDSIM_FORMULA CoulombTail<typename Ops::Real> spread(const CoulombTail<double>& t) {
    CoulombTail<typename Ops::Real> out{};
    out.two_k_rf = Ops::set(t.two_k_rf);
    out.k_rf = Ops::set(t.k_rf);
    out.c_rf = Ops::set(t.c_rf);
    out.beta = Ops::set(t.beta);
    out.beta2 = Ops::set(t.beta2);
    out.beta3 = Ops::set(t.beta3);
    spread_all<Ops>(t.fit, out.fit);
    spread_all<Ops>(t.energy_fit, out.energy_fit);
    spread_all<Ops>(t.fine_fit, out.fine_fit);
    spread_all<Ops>(t.fine_energy_fit, out.fine_energy_fit);
    out.fit_scale = Ops::set(t.fit_scale);
    return out;
}

/// c[0] + c[1] t + ... + c[n - 1] t^(n-1), even and odd powers apart: two shorter chains.
template <class Ops, int n>
MDSIM_FORMULA typename Ops::Real by_powers(const typename Ops::Real (&c)[n], typename Ops::Real t) {
    const auto u = t * t;
    auto high = c[n - 1], low = c[n - 2];
    for (int k = n - 3; k >= 0; k -= 2) {
        high = Ops::mul_add(high, u, c[k]);
        if (k > 0) low = Ops::mul_add(low, u, c[k - 1]);
    }
    return n % 2 == 1 ? Ops::mul_add(low, t, high) : Ops::mul_add(high, t, low);
}

/// Cut or shifted Lennard-Jones: 12 c12 (r^-12/12 - shift12) - 6 c6 (r^-6/6 - shift6).
template <class Ops>
struct LjPlain {
    using Real = typename Ops::Real;
    using Tail = LjTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail&, Real, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real i2 = inverse_r * inverse_r;
        const Real i6 = i2 * i2 * i2;
        return Ops::mul_sub(twelve_c12, i6, six_c6) * (i6 * i2);
    }
    static MDSIM_FORMULA Real energy(const Tail& t, Real, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real i2 = inverse_r * inverse_r;
        const Real i6 = i2 * i2 * i2;
        const Real v6 = Ops::mul_sub(i6, Ops::set(1.0 / 6.0), t.shift6);
        const Real v12 = Ops::mul_sub(i6 * i6, Ops::set(1.0 / 12.0), t.shift12);
        return Ops::neg_mul_add(six_c6, v6, twelve_c12 * v12);
    }
};

/// Energy times S(t) = 1 - 10 t^3 + 15 t^4 - 6 t^5, t = (r - r_s)/(r_c - r_s) from 0 on.
template <class Ops>
struct LjPotentialSwitch {
    using Real = typename Ops::Real;
    using Tail = LjTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real t = fraction(tail, r2, inverse_r);
        const Real one_less = Ops::set(1.0) - t;
        const Real slope = (t * one_less) * (t * one_less) * Ops::set(30.0) * tail.inverse_width;  // -dS/dr
        const Real plain = LjPlain<Ops>::force_over_r(tail, r2, inverse_r, six_c6, twelve_c12);
        const Real v = LjPlain<Ops>::energy(tail, r2, inverse_r, six_c6, twelve_c12);
        return Ops::mul_add(plain, switching(t), v * slope * inverse_r);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        return switching(fraction(tail, r2, inverse_r)) * LjPlain<Ops>::energy(tail, r2, inverse_r, six_c6, twelve_c12);
    }

  private:
    static MDSIM_FORMULA Real fraction(const Tail& tail, Real r2, Real inverse_r) {
        return Ops::max(Ops::mul_add(r2, inverse_r, Ops::set(0.0) - tail.switch_from), Ops::set(0.0)) *
               tail.inverse_width;
    }
    static MDSIM_FORMULA Real switching(Real t) {
        const Real inner = Ops::mul_add(Ops::mul_add(Ops::set(-6.0), t, Ops::set(15.0)), t, Ops::set(-10.0));
        return Ops::mul_add(t * t * t, inner, Ops::set(1.0));
    }
};

/// GROMACS' force switch; constants and source with lj_tail_force_switch.
template <class Ops>
struct LjForceSwitch {
    using Real = typename Ops::Real;
    using Tail = LjTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real t = Ops::max(Ops::mul_add(r2, inverse_r, Ops::set(0.0) - tail.switch_from), Ops::set(0.0));
        const Real t2_over_r = t * t * inverse_r;
        const Real i2 = inverse_r * inverse_r;
        const Real i6 = i2 * i2 * i2;
        const Real f6 = Ops::mul_add(Ops::mul_add(tail.b6, t, tail.a6), t2_over_r, i6 * i2);
        const Real f12 = Ops::mul_add(Ops::mul_add(tail.b12, t, tail.a12), t2_over_r, i6 * i6 * i2);
        return Ops::neg_mul_add(six_c6, f6, twelve_c12 * f12);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real t = Ops::max(Ops::mul_add(r2, inverse_r, Ops::set(0.0) - tail.switch_from), Ops::set(0.0));
        const Real t3 = t * t * t;
        const Real i2 = inverse_r * inverse_r;
        const Real i6 = i2 * i2 * i2;
        const Real third = Ops::set(1.0 / 3.0), quarter = Ops::set(0.25);
        const Real tail6 = Ops::mul_add(t3, Ops::mul_add(tail.b6 * quarter, t, tail.a6 * third), tail.shift6);
        const Real tail12 = Ops::mul_add(t3, Ops::mul_add(tail.b12 * quarter, t, tail.a12 * third), tail.shift12);
        const Real v6 = Ops::mul_add(i6, Ops::set(1.0 / 6.0), Ops::set(0.0) - tail6);
        const Real v12 = Ops::mul_add(i6 * i6, Ops::set(1.0 / 12.0), Ops::set(0.0) - tail12);
        return Ops::neg_mul_add(six_c6, v6, twelve_c12 * v12);
    }
};

/// CHARMM's force switch; constants and source with lj_tail_charmm_force_switch.
template <class Ops>
struct LjCharmmForceSwitch {
    using Real = typename Ops::Real;
    using Tail = LjTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real i2 = inverse_r * inverse_r;
        const Real i3 = i2 * inverse_r;
        const Real i6 = i2 * i2 * i2;
        const Real f6 = tail.k6 * (i3 - tail.cutoff_3) * i3;
        const Real f12 = tail.k12 * (i6 - tail.cutoff_6) * i6;
        const Real outer = Ops::neg_mul_add(six_c6, f6, twelve_c12 * f12) * i2;
        return Ops::select_less(tail.switch_from2, r2, outer,
                                LjPlain<Ops>::force_over_r(tail, r2, inverse_r, six_c6, twelve_c12));
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real six_c6, Real twelve_c12) {
        const Real i3 = inverse_r * inverse_r * inverse_r;
        const Real d6 = i3 - tail.cutoff_3;
        const Real d12 = i3 * i3 - tail.cutoff_6;
        const Real v6 = tail.k6 * d6 * d6 * Ops::set(1.0 / 6.0);
        const Real v12 = tail.k12 * d12 * d12 * Ops::set(1.0 / 12.0);
        const Real outer = Ops::neg_mul_add(six_c6, v6, twelve_c12 * v12);
        return Ops::select_less(tail.switch_from2, r2, outer,
                                LjPlain<Ops>::energy(tail, r2, inverse_r, six_c6, twelve_c12));
    }
};

/// Plain Coulomb (k_rf = c_rf = 0) and reaction field: qq (1/r + k_rf r^2 - c_rf).
template <class Ops>
struct CoulombReactionField {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real, Real inverse_r, Real qq) {
        return qq * Ops::mul_sub(inverse_r * inverse_r, inverse_r, tail.two_k_rf);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        return qq * (Ops::mul_add(tail.k_rf, r2, inverse_r) - tail.c_rf);
    }
};

/// Ewald's direct part qq erfc(beta r)/r for beta r <= ewald_rational_limit: plain Coulomb less a rational function.
/// The form for single precision; in double it keeps 1e-15 of the plain force, not of the small rest.
template <class Ops>
struct CoulombEwaldRational {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real correction = ewald_force_correction<Ops>(tail.beta2 * r2);
        return qq * Ops::neg_mul_add(tail.beta3, correction, inverse_r * inverse_r * inverse_r);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        return qq * Ops::neg_mul_add(tail.beta, ewald_energy_correction<Ops>(tail.beta2 * r2), inverse_r);
    }
};

/// The direct part qq (1/r - S(r)) of any split whose tail has the polynomials: fewer operations than the rational
/// function, for distances up to the cutoff that they were fitted for. The form for single precision.
template <class Ops>
struct CoulombEwaldPolynomial {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return qq * Ops::mul_sub(inverse_r * inverse_r, inverse_r, by_powers<Ops>(tail.fit, t));
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return qq * (inverse_r - by_powers<Ops>(tail.energy_fit, t));
    }
};

/// The same for prolates in double precision: 3e-14 of the largest correction.
template <class Ops>
struct CoulombProlate {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return qq * Ops::mul_sub(inverse_r * inverse_r, inverse_r, by_powers<Ops>(tail.fine_fit, t));
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return qq * (inverse_r - by_powers<Ops>(tail.fine_energy_fit, t));
    }
};

/// Ewald's direct part qq erfc(beta r)/r for any beta r, each value to 1e-15 of itself. Double precision only.
template <class Ops>
struct CoulombEwaldExact {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real z = tail.beta * (r2 * inverse_r);
        const Real slope = Ops::mul_add(z, Ops::set(1.1283791670955126), scaled_erfc<Ops>(z));  // 2/sqrt(pi)
        const Real i3 = inverse_r * inverse_r * inverse_r;
        return qq * (exp_minus<Ops>(tail.beta2 * r2) * slope * i3);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real inverse_r, Real qq) {
        const Real z = tail.beta * (r2 * inverse_r);
        return qq * (exp_minus<Ops>(tail.beta2 * r2) * scaled_erfc<Ops>(z) * inverse_r);
    }
};

/// What excluded pairs take off again, because the mesh has it: -qq erf(beta r)/r, finite at r = 0, for
/// beta r <= ewald_rational_limit.
template <class Ops>
struct CoulombEwaldExclusion {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real qq) {
        return Ops::set(0.0) - qq * (tail.beta3 * ewald_force_correction<Ops>(tail.beta2 * r2));
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real qq) {
        return Ops::set(0.0) - qq * (tail.beta * ewald_energy_correction<Ops>(tail.beta2 * r2));
    }
};

/// The same of prolates, for distances up to the cutoff.
template <class Ops>
struct CoulombProlateExclusion {
    using Real = typename Ops::Real;
    using Tail = CoulombTail<Real>;

    static MDSIM_FORMULA Real force_over_r(const Tail& tail, Real r2, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return Ops::set(0.0) - qq * by_powers<Ops>(tail.fine_fit, t);
    }
    static MDSIM_FORMULA Real energy(const Tail& tail, Real r2, Real qq) {
        const Real t = Ops::mul_sub(r2, tail.fit_scale, Ops::set(1.0));
        return Ops::set(0.0) - qq * by_powers<Ops>(tail.fine_energy_fit, t);
    }
};
