// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

#include "physics/chebyshev_fit.h"

namespace mdsim::physics {

/// How Lennard-Jones ends at the cutoff: precomputed constants of one form, as numbers (Real = double) or spread over
/// vectors. Every form uses the two shifts; the meaning of the others is with the form in pair_formulas.inl.
template <class Real>
struct LjTail {
    Real shift6{}, shift12{};     ///< taken off r^-6/6 and r^-12/12 [nm^-6], [nm^-12]
    Real switch_from{};           ///< r_s [nm]
    Real switch_from2{};          ///< r_s^2 [nm^2]
    Real inverse_width{};         ///< 1/(r_c - r_s) [1/nm]
    Real a6{}, b6{};              ///< force switch: A/6, B/6 of the power 6
    Real a12{}, b12{};            ///< force switch: A/12, B/12 of the power 12
    Real k6{}, k12{};             ///< CHARMM force switch
    Real cutoff_3{}, cutoff_6{};  ///< r_c^-3, r_c^-6
};

/// Plain cut: no constant at all.
inline LjTail<double> lj_tail_cut() {
    return {};
}

/// Energy of each pair shifted to zero at the cutoff [nm].
inline LjTail<double> lj_tail_shift(double cutoff) {
    LjTail<double> t;
    const double c6 = 1.0 / (cutoff * cutoff * cutoff * cutoff * cutoff * cutoff);
    t.shift6 = c6 / 6.0;
    t.shift12 = c6 * c6 / 12.0;
    return t;
}

/// Energy times a polynomial of fifth degree between switch_from and cutoff [nm].
inline LjTail<double> lj_tail_potential_switch(double cutoff, double switch_from) {
    LjTail<double> t;
    t.switch_from = switch_from;
    t.switch_from2 = switch_from * switch_from;
    t.inverse_width = 1.0 / (cutoff - switch_from);
    return t;
}

/// GROMACS' force switch between switch_from and cutoff [nm]. For each power p, t = max(r - r_s, 0), w = r_c - r_s:
/// F = p r^-(p+1) + A t^2 + B t^3 with F and its slope zero at r_c, V = r^-p - A/3 t^3 - B/4 t^4 - C.
/// (van der Spoel and van Maaren, J. Chem. Theory Comput. 2 (2006) 1, and the GROMACS manual, "Modified non-bonded
/// interactions".)
inline LjTail<double> lj_tail_force_switch(double cutoff, double switch_from) {
    LjTail<double> t = lj_tail_potential_switch(cutoff, switch_from);
    const double w = cutoff - switch_from;
    const auto constants = [&](double p, double& a, double& b, double& shift) {
        const double scale = 1.0 / (std::pow(cutoff, p + 2.0) * w * w);
        a = -((p + 4.0) * cutoff - (p + 1.0) * switch_from) * scale;
        b = ((p + 3.0) * cutoff - (p + 1.0) * switch_from) * scale / w;
        shift = std::pow(cutoff, -p) / p - a / 3.0 * w * w * w - b / 4.0 * w * w * w * w;
    };
    constants(6.0, t.a6, t.b6, t.shift6);
    constants(12.0, t.a12, t.b12, t.shift12);
    return t;
}

/// CHARMM's VFSWITCH (Steinbach and Brooks, J. Comput. Chem. 15 (1994) 667, eqs. 10-13). Beyond r_s:
/// V12 = k12 (r^-6 - r_c^-6)^2, V6 = k6 (r^-3 - r_c^-3)^2; before r_s the plain form less a constant.
inline LjTail<double> lj_tail_charmm_force_switch(double cutoff, double switch_from) {
    LjTail<double> t = lj_tail_potential_switch(cutoff, switch_from);
    const double rc3 = cutoff * cutoff * cutoff, rs3 = switch_from * switch_from * switch_from;
    t.cutoff_3 = 1.0 / rc3;
    t.cutoff_6 = t.cutoff_3 * t.cutoff_3;
    t.k6 = rc3 / (rc3 - rs3);
    t.k12 = rc3 * rc3 / (rc3 * rc3 - rs3 * rs3);
    t.shift6 = 1.0 / (6.0 * rs3 * rc3);
    t.shift12 = 1.0 / (12.0 * rs3 * rs3 * rc3 * rc3);
    return t;
}

/// Constants of the direct part of Coulomb. Charges are scaled by the root of the Coulomb constant, so qq / r is an
/// energy [kJ/mol].
template <class Real>
struct CoulombTail {
    Real two_k_rf{};  ///< reaction field [nm^-3]; zero with plain Coulomb
    Real k_rf{};      ///< [nm^-3]
    Real c_rf{};      ///< [1/nm]
    Real beta{};      ///< Ewald splitting [1/nm]
    Real beta2{};     ///< [nm^-2]
    Real beta3{};     ///< [nm^-3]
    /// What a split takes off 1/r^3 and 1/r, D(r) = -S'(r)/r [nm^-3] and S(r) [1/nm], as polynomials of
    /// t = fit_scale r^2 - 1, lowest power first, for distances up to the cutoff: in single precision,
    Real fit[11]{};
    Real energy_fit[12]{};
    /// and in double precision, prolates alone.
    Real fine_fit[18]{};
    Real fine_energy_fit[19]{};
    Real fit_scale{};  ///< 2 / r_c^2 [nm^-2]; 0 where no polynomial is good enough
};

/// Whether the split is that of prolates, which has no beta.
inline bool is_prolate(const CoulombTail<double>& tail) {
    return tail.beta == 0.0 && tail.fit_scale > 0.0;
}

/// The largest beta r_c for which a polynomial of degree 10 is within 5e-7 of the Ewald correction, and so within
/// 5e-7 beta^3 of the force over r of two unit charges.
inline constexpr double ewald_polynomial_limit = 2.85;

/// The largest beta r for which the rational Ewald formulas hold. Beyond it erfc is below 7e-9.
inline constexpr double ewald_rational_limit = 4.1;

inline CoulombTail<double> coulomb_tail_plain() {
    return {};
}

/// Reaction field: k_rf = (e - 1) / (2 e + 1) / r_c^3, c_rf = 1/r_c + k_rf r_c^2 with e the permittivity of the
/// surroundings, 0 for infinity (Tironi et al., J. Chem. Phys. 102 (1995) 5451, without ions).
inline CoulombTail<double> coulomb_tail_reaction_field(double cutoff, double permittivity) {
    CoulombTail<double> t;
    const double ratio = permittivity == 0.0 ? 0.5 : (permittivity - 1.0) / (2.0 * permittivity + 1.0);
    t.k_rf = ratio / (cutoff * cutoff * cutoff);
    t.two_k_rf = 2.0 * t.k_rf;
    t.c_rf = 1.0 / cutoff + t.k_rf * cutoff * cutoff;
    return t;
}

/// The energy that belongs to a fitted force: dS/dt = -D r_c^2 / 4, with the value at the cutoff (t = 1) [1/nm].
template <int n>
void integrate_fit(const double (&force)[n], double cutoff, double at_cutoff, double (&energy)[n + 1]) {
    energy[0] = at_cutoff;
    for (int k = 1; k <= n; ++k) {
        energy[k] = -0.25 * cutoff * cutoff * force[k - 1] / k;
        energy[0] -= energy[k];
    }
}

/// Fits the polynomials of single precision for distances up to the cutoff [nm].
inline void fit_ewald_polynomial(CoulombTail<double>& tail, double cutoff) {
    const double limit = tail.beta * cutoff;
    if (limit > ewald_polynomial_limit) return;
    tail.fit_scale = 2.0 / (cutoff * cutoff);
    fit_by_powers(tail.fit, [&](double t) {
        const double z = limit * std::sqrt(0.5 * (1.0 + t));
        const double slope = 2.0 / std::sqrt(std::numbers::pi) * std::exp(-z * z);
        return tail.beta3 * (std::erf(z) / z - slope) / (z * z);
    });
    integrate_fit(tail.fit, cutoff, std::erf(limit) / cutoff, tail.energy_fit);
}

/// Splits by functions that end at the cutoff [nm], S(r_c) = 1/r_c and D(r_c) = 1/r_c^3. correction: D r_c^3 by r/r_c.
template <class F>
CoulombTail<double> coulomb_tail_prolate(double cutoff, F&& correction) {
    CoulombTail<double> tail;
    tail.fit_scale = 2.0 / (cutoff * cutoff);
    const double size = 1.0 / (cutoff * cutoff * cutoff);
    const auto by_t = [&](double t) { return size * correction(std::sqrt(0.5 * (1.0 + t))); };
    fit_by_powers(tail.fit, by_t);
    fit_by_powers(tail.fine_fit, by_t);
    // The force ends at the cutoff exactly.
    tail.fit[0] += size - value_by_powers(tail.fit, 1.0);
    tail.fine_fit[0] += size - value_by_powers(tail.fine_fit, 1.0);
    integrate_fit(tail.fit, cutoff, 1.0 / cutoff, tail.energy_fit);
    integrate_fit(tail.fine_fit, cutoff, 1.0 / cutoff, tail.fine_energy_fit);
    return tail;
}

/// Direct part of Ewald with splitting beta [1/nm].
inline CoulombTail<double> coulomb_tail_ewald(double beta) {
    CoulombTail<double> t;
    t.beta = beta;
    t.beta2 = beta * beta;
    t.beta3 = beta * beta * beta;
    return t;
}

}  // namespace mdsim::physics
