// SPDX-License-Identifier: Apache-2.0
#include "physics/pair_formulas.h"

#include <cmath>
#include <numbers>

#include <catch2/catch.hpp>

using namespace mdsim::physics;

namespace {

using Double = ScalarOps<double>;
using Float = ScalarOps<float>;

// -dV/dr / r by central differences of the energy.
template <class Formula, class Tail>
double slope_over_r(const Tail& tail, double r, double p, double q) {
    const double h = 1e-5 * r;
    const auto v = [&](double x) { return Formula::energy(tail, x * x, 1.0 / x, p, q); };
    return -(v(r - 2 * h) - 8 * v(r - h) + 8 * v(r + h) - v(r + 2 * h)) / (12 * h) / r;
}

template <template <class> class Formula>
void check_lj(const LjTail<double>& tail) {
    const double six_c6 = 6 * 2.6e-3, twelve_c12 = 12 * 2.6e-6;
    for (double r = 0.25; r < 1.0; r += 0.0137) {
        const double f = Formula<Double>::force_over_r(tail, r * r, 1.0 / r, six_c6, twelve_c12);
        CHECK(f == Approx(slope_over_r<Formula<Double>>(tail, r, six_c6, twelve_c12)).epsilon(1e-8).margin(1e-8));
        const auto single =
            Formula<Float>::force_over_r(spread<Float>(tail), static_cast<float>(r * r), static_cast<float>(1.0 / r),
                                         static_cast<float>(six_c6), static_cast<float>(twelve_c12));
        const double scale = std::abs(six_c6) * std::pow(r, -8) + twelve_c12 * std::pow(r, -14);
        // 14 roundings of 6e-8 at least; near the cutoff the switches take terms of that size off each other.
        CHECK(std::abs(single - f) < 5e-6 * scale);
    }
}

double erfc_long(double z) {
    return static_cast<double>(std::erfc(static_cast<long double>(z)));
}

}  // namespace

TEST_CASE("Lennard-Jones forces are minus the slope of their energies") {
    check_lj<LjPlain>(lj_tail_cut());
    check_lj<LjPlain>(lj_tail_shift(1.0));
    check_lj<LjPotentialSwitch>(lj_tail_potential_switch(1.0, 0.8));
    check_lj<LjForceSwitch>(lj_tail_force_switch(1.0, 0.8));
    check_lj<LjCharmmForceSwitch>(lj_tail_charmm_force_switch(1.0, 0.8));
}

TEST_CASE("Lennard-Jones in numbers worked by hand") {
    // sigma = 1, epsilon = 1: V(2) = 4 (2^-12 - 2^-6) = -0.0615234375, F(2)/2 = (48 2^-13 - 24 2^-7)/2.
    CHECK(LjPlain<Double>::energy(lj_tail_cut(), 4.0, 0.5, 24.0, 48.0) == Approx(-0.0615234375).epsilon(1e-14));
    CHECK(LjPlain<Double>::force_over_r(lj_tail_cut(), 4.0, 0.5, 24.0, 48.0) ==
          Approx((48 * 0x1p-13 - 24 * 0x1p-7) / 2).epsilon(1e-14));
    // shifted at 2.5: V(2.5) = 4 (2.5^-12 - 2.5^-6)
    const double at_cutoff = 4 * (std::pow(2.5, -12) - std::pow(2.5, -6));
    CHECK(LjPlain<Double>::energy(lj_tail_shift(2.5), 4.0, 0.5, 24.0, 48.0) ==
          Approx(-0.0615234375 - at_cutoff).epsilon(1e-14));
}

TEST_CASE("switched forms are zero at the cutoff, with their forces, and plain before the switch") {
    const double rc = 1.2, rs = 1.0;
    const auto zero = [&](auto formula, const LjTail<double>& tail) {
        using F = decltype(formula);
        for (const auto& [a, b] : {std::pair{6.0, 0.0}, std::pair{0.0, 12.0}}) {
            CHECK(std::abs(F::energy(tail, rc * rc, 1 / rc, a, b)) < 1e-13);
            CHECK(std::abs(F::force_over_r(tail, rc * rc, 1 / rc, a, b)) < 1e-13);
            CHECK(F::force_over_r(tail, 0.81, 1 / 0.9, a, b) ==
                  Approx(LjPlain<Double>::force_over_r(tail, 0.81, 1 / 0.9, a, b)).epsilon(1e-14));
        }
    };
    zero(LjPotentialSwitch<Double>{}, lj_tail_potential_switch(rc, rs));
    zero(LjForceSwitch<Double>{}, lj_tail_force_switch(rc, rs));
    zero(LjCharmmForceSwitch<Double>{}, lj_tail_charmm_force_switch(rc, rs));
    // The energies are continuous where CHARMM's form changes.
    const auto tail = lj_tail_charmm_force_switch(rc, rs);
    CHECK(LjCharmmForceSwitch<Double>::energy(tail, rs * rs * (1 + 1e-15), 1 / rs, 6.0, 12.0) ==
          Approx(LjPlain<Double>::energy(tail, rs * rs, 1 / rs, 6.0, 12.0)).epsilon(1e-12));
}

TEST_CASE("the exact Ewald form follows erfc to 1e-14 everywhere") {
    const auto tail = coulomb_tail_ewald(3.0);
    for (double r = 0.01; r < 3.0; r += 0.00731) {
        const double z = 3.0 * r, e = erfc_long(z);
        const double f = (e + z * 2 * std::numbers::inv_sqrtpi * std::exp(-z * z)) / (r * r * r);
        // exp(-z^2) magnifies the rounding of its argument by z^2.
        const double tolerance = 2e-15 * (2 + z * z);
        CHECK(std::abs(CoulombEwaldExact<Double>::energy(tail, r * r, 1 / r, 1.0) * r / e - 1) < tolerance);
        CHECK(std::abs(CoulombEwaldExact<Double>::force_over_r(tail, r * r, 1 / r, 1.0) / f - 1) < tolerance);
    }
}

TEST_CASE("the rational Ewald form errs less than 6e-7 of the plain force in single, 2e-15 in double precision") {
    const double beta = 4.5;
    const auto tail = coulomb_tail_ewald(beta);
    const auto single = spread<Float>(tail);
    for (double z = 0.05; z <= ewald_rational_limit; z += 0.0113) {
        const double r = z / beta, r2 = r * r, i3 = 1 / (r2 * r);
        const double e = CoulombEwaldExact<Double>::energy(tail, r2, 1 / r, 1.0);
        const double f = CoulombEwaldExact<Double>::force_over_r(tail, r2, 1 / r, 1.0);
        CHECK(std::abs(CoulombEwaldRational<Double>::force_over_r(tail, r2, 1 / r, 1.0) - f) < 2e-15 * i3);
        CHECK(std::abs(CoulombEwaldRational<Double>::energy(tail, r2, 1 / r, 1.0) - e) < 2e-15 / r);
        const auto r2s = static_cast<float>(r2), inverse = static_cast<float>(1 / r);
        CHECK(std::abs(CoulombEwaldRational<Float>::force_over_r(single, r2s, inverse, 1.0f) - f) < 6e-7 * i3);
        CHECK(std::abs(CoulombEwaldRational<Float>::energy(single, r2s, inverse, 1.0f) - e) < 6e-7 / r);
    }
}

TEST_CASE("the exclusion is what the direct part lacks of plain Coulomb") {
    const auto tail = coulomb_tail_ewald(3.1);
    for (double r = 0.02; r < 1.3; r += 0.0173) {
        const double r2 = r * r;
        CHECK(CoulombEwaldExclusion<Double>::energy(tail, r2, 1.0) == Approx(-std::erf(3.1 * r) / r).epsilon(2e-15));
        CHECK(CoulombEwaldExclusion<Double>::force_over_r(tail, r2, 1.0) ==
              Approx(CoulombEwaldExact<Double>::force_over_r(tail, r2, 1 / r, 1.0) - 1 / (r2 * r))
                  .epsilon(1e-12)
                  .margin(1e-14 / (r2 * r)));
    }
    // At r = 0: -2 beta/sqrt(pi).
    CHECK(CoulombEwaldExclusion<Double>::energy(tail, 0.0, 1.0) ==
          Approx(-2 * 3.1 * std::numbers::inv_sqrtpi).epsilon(1e-15));
}

TEST_CASE("reaction field: energy zero at the cutoff, force too with a conductor around") {
    const auto tail = coulomb_tail_reaction_field(0.9, 0.0);
    CHECK(std::abs(CoulombReactionField<Double>::energy(tail, 0.81, 1 / 0.9, 138.9)) < 1e-13);
    CHECK(std::abs(CoulombReactionField<Double>::force_over_r(tail, 0.81, 1 / 0.9, 138.9)) < 1e-12);
    // Water around: k_rf = 77/157/rc^3.
    CHECK(coulomb_tail_reaction_field(1.0, 78.0).k_rf == Approx(77.0 / 157.0).epsilon(1e-15));
    CHECK(CoulombReactionField<Double>::energy(coulomb_tail_plain(), 0.25, 2.0, 3.0) == 6.0);
    CHECK(CoulombReactionField<Double>::force_over_r(coulomb_tail_plain(), 0.25, 2.0, 3.0) == 24.0);
    // 1/r^3 - 1/rc^3 with a conductor.
    CHECK(CoulombReactionField<Double>::force_over_r(tail, 0.16, 2.5, 1.0) ==
          Approx(1 / 0.064 - 1 / 0.729).epsilon(1e-14));
}

TEST_CASE("the polynomial of the Ewald force is as near as it says, up to the cutoff") {
    const double cutoff = 0.9;
    for (const double beta : {1.0, 2.0, 2.6, 3.12, ewald_polynomial_limit / cutoff}) {
        auto tail = coulomb_tail_ewald(beta);
        fit_ewald_polynomial(tail, cutoff);
        REQUIRE(tail.fit_scale > 0.0);
        for (double r = 0.05; r <= cutoff; r += 0.00171) {
            const double f = CoulombEwaldPolynomial<Double>::force_over_r(tail, r * r, 1.0 / r, 1.0);
            const double exact = CoulombEwaldExact<Double>::force_over_r(tail, r * r, 1.0 / r, 1.0);
            CHECK(std::abs(f - exact) < 5e-7 * beta * beta * beta + 1e-12 / (r * r * r));
            const double energy = CoulombEwaldPolynomial<Double>::energy(tail, r * r, 1.0 / r, 1.0);
            CHECK(std::abs(energy - CoulombEwaldExact<Double>::energy(tail, r * r, 1.0 / r, 1.0)) < 3e-7 * beta);
        }
    }
    auto tail = coulomb_tail_ewald(4.0);
    fit_ewald_polynomial(tail, cutoff);
    CHECK(tail.fit_scale == 0.0);
}

TEST_CASE("the exponential errs less than 1e-7 in single and 3e-15 in double precision") {
    double worst_single = 0.0, worst_double = 0.0;
    for (double y = 0.0; y < 86.0; y += 1.7e-3) {
        const auto single = static_cast<float>(y);
        const double e = std::exp(-y), e_single = std::exp(-static_cast<double>(single));
        worst_single = std::max(worst_single, std::abs(exp_minus<Float>(single) / e_single - 1.0));
        worst_double = std::max(worst_double, std::abs(exp_minus<Double>(y) / e - 1.0));
    }
    CHECK(worst_single < 1e-7);
    CHECK(worst_double < 3e-15);
    CHECK(exp_minus<Float>(1e6f) == exp_minus<Float>(87.0f));
}
