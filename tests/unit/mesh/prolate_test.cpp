// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/prolate/prolate.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "forces/mesh/prolate/gauss_legendre.h"
#include "forces/mesh/prolate/prolate_window.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "physics/pair_formulas.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

using Double = physics::ScalarOps<double>;
using Float = physics::ScalarOps<float>;

}  // namespace

// Three and four digits of an independent implementation (an eigenvector of a dense matrix in another language).
TEST_CASE("prolate functions have their known values", "[mesh][esp]") {
    struct Known {
        double c, end, jump, inverse_integral, moment;
    };
    const GaussLegendre<60> rule;
    for (const Known& k : {Known{8, 3.25e-3, 7.33e-3, 2.257, .11284}, Known{10, 4.95e-4, 1.25e-3, 2.523, .09228},
                           Known{12, 7.38e-5, 2.04e-4, 2.764, .07800}, Known{16, 1.57e-6, 5.01e-6, 3.192, .05952}}) {
        const Prolate psi(k.c);
        INFO("c = " << k.c);
        CHECK(psi.value(0.0) == Approx(1.0).epsilon(1e-14));
        CHECK(psi.value(1.0) == Approx(k.end).epsilon(2e-3));
        CHECK(psi.value(1.0) / psi.integral(1.0) == Approx(k.jump).epsilon(2e-3));
        CHECK(1.0 / psi.integral(1.0) == Approx(k.inverse_integral).epsilon(3e-4));
        const double moment = rule.integral([&](double x) { return x * x * psi.value(x); }) / psi.integral(1.0);
        CHECK(moment == Approx(k.moment).epsilon(1e-4));
    }
}

TEST_CASE("a prolate function is its own transform", "[mesh][esp]") {
    for (const double c : {1.0, 8.0, 10.5, 15.0, 17.0}) {
        const Prolate psi(c);
        for (double x = 0.0; x <= 1.0; x += 0.0625) {
            CHECK(std::abs(psi.transform(c * x) - 2.0 * psi.integral(1.0) * psi.value(x)) < 2e-14);
            if (x == 0.0 || x == 1.0) continue;
            const double step = 1e-5;
            CHECK(psi.slope(x) == Approx((psi.value(x + step) - psi.value(x - step)) / (2 * step)).margin(1e-8));
            CHECK(psi.value(x) == Approx((psi.integral(x + step) - psi.integral(x - step)) / (2 * step)).margin(1e-9));
        }
    }
}

TEST_CASE("the shifted split ends at the cutoff without a step", "[mesh][esp]") {
    for (const double c : {9.5, 10.5, 12.0, 15.0, 17.0}) {
        const ShiftedProlate split(c);
        CHECK(std::abs(split.chi(1.0)) < 1e-15);
        CHECK(split.phi(1.0) == Approx(1.0).epsilon(1e-14));
        CHECK(split.gamma(0.0) == Approx(1.0).epsilon(1e-14));
        CHECK(split.force_over_r(1.0) == Approx(1.0).epsilon(1e-13));
        for (double x = 0.1; x < 1.0; x += 0.09) {
            CHECK(split.energy(x) == Approx(split.phi(x) / x).epsilon(1e-14));
            CHECK(split.force_over_r(x) == Approx((split.phi(x) / x - split.chi(x)) / (x * x)).epsilon(1e-11));
        }
    }
}

TEST_CASE("the polynomials of pairs follow the split", "[mesh][esp]") {
    const double cutoff = 0.9;
    for (const double c : {9.5, 10.5, 12.0, 15.0, 17.0}) {
        INFO("c = " << c);
        const ShiftedProlate split(c);
        const auto tail = prolate_tail(c, cutoff);
        const auto single = physics::spread<Float>(tail);
        REQUIRE(physics::is_prolate(tail));
        const double largest = split.force_over_r(1e-3) / std::pow(cutoff, 3);
        for (double r = 0.02; r < cutoff; r += 0.0123) {
            const double r2 = r * r, i3 = 1.0 / (r2 * r), x = r / cutoff;
            const double f = i3 - split.force_over_r(x) / std::pow(cutoff, 3), e = 1 / r - split.energy(x) / cutoff;
            const double fine = physics::CoulombProlate<Double>::force_over_r(tail, r2, 1 / r, 1.0);
            CHECK(std::abs(fine - f) < 3e-14 * largest + 1e-15 * i3);
            CHECK(std::abs(physics::CoulombProlate<Double>::energy(tail, r2, 1 / r, 1.0) - e) < 3e-14 / r);
            // The fit of single precision in double precision, and with its rounding.
            const double fit = physics::CoulombEwaldPolynomial<Double>::force_over_r(tail, r2, 1 / r, 1.0);
            CHECK(std::abs(fit - f) < (c <= 12.0 ? 1e-9 : 1e-7) * largest + 1e-15 * i3);
            const auto rounded = physics::CoulombEwaldPolynomial<Float>::force_over_r(single, static_cast<float>(r2),
                                                                                      static_cast<float>(1 / r), 1.0f);
            CHECK(std::abs(rounded - f) < 4e-7 * largest + 6e-7 * i3);
            const auto energy = physics::CoulombEwaldPolynomial<Float>::energy(single, static_cast<float>(r2),
                                                                               static_cast<float>(1 / r), 1.0f);
            CHECK(std::abs(energy - e) < 1e-6 / r);
            // Excluded pairs lack what the mesh has.
            CHECK(physics::CoulombProlateExclusion<Double>::force_over_r(tail, r2, 2.0) ==
                  Approx(2.0 * (fine - i3)).margin(3e-15 * i3));
        }
        const double at_cutoff = std::pow(cutoff, -3);
        CHECK(std::abs(physics::CoulombEwaldPolynomial<Double>::force_over_r(tail, 0.81, 1 / 0.9, 1.0)) <
              1e-13 * at_cutoff);
        CHECK(std::abs(physics::CoulombEwaldPolynomial<Float>::force_over_r(single, 0.81f, 1 / 0.9f, 1.0f)) <
              2e-6 * at_cutoff);
        CHECK(std::abs(physics::CoulombEwaldPolynomial<Double>::energy(tail, 0.81, 1 / 0.9, 1.0)) < 1e-14);
    }
}

TEST_CASE("the polynomial of wave vectors follows the split", "[mesh][esp]") {
    const double cutoff = 1.1;
    for (const double c : {9.5, 10.5, 12.0, 15.0, 17.0}) {
        const ShiftedProlate split(c);
        const ProlateSplit waves = prolate_split(c, cutoff);
        CHECK(std::sqrt(waves.largest_k2) * cutoff == Approx(1.2 * c));
        for (double k = 0.0; k < std::sqrt(waves.largest_k2); k += 0.0711) {
            const double y = 2.0 * k * k / waves.largest_k2 - 1.0;
            double gamma = 0.0;
            for (std::size_t n = prolate_terms; n-- > 0;) gamma = gamma * y + waves.gamma[n];
            CHECK(std::abs(gamma - split.gamma(k * cutoff)) < 1e-13);
        }
    }
}

TEST_CASE("the pieces of a window follow the prolate function, and their transform its transform", "[mesh][esp]") {
    struct Case {
        int order;
        double c;
    };
    for (const Case& w : {Case{5, 10.0}, Case{5, 11.0}, Case{6, 12.6}, Case{7, 14.7}, Case{8, 16.0}}) {
        INFO("order " << w.order);
        const WindowPieces pieces = prolate_pieces(w.order, w.c);
        const Prolate psi(w.c);
        const double scale = 1.0 / (w.order * psi.integral(1.0));
        for (int j = 0; j < w.order; ++j) {
            for (double t = 0.0; t < 1.0; t += 0.0913) {
                double weight = 0.0;
                for (std::size_t k = window_terms; k-- > 0;) {
                    weight = weight * (2.0 * t - 1.0) + pieces[static_cast<std::size_t>(j)][k];
                }
                const double u = t + 0.5 * w.order - 1 - j;
                CHECK(std::abs(weight - scale * psi.value(2.0 * u / w.order)) < 1e-8 * scale);
            }
        }
        CHECK(transform_of_pieces(pieces, w.order, 0.0) == Approx(1.0).epsilon(1e-8));
        for (double theta = 0.1; theta <= units::pi; theta += 0.3) {
            CHECK(transform_of_pieces(pieces, w.order, theta) ==
                  Approx(0.5 * w.order * scale * psi.transform(0.5 * w.order * theta)).margin(1e-9));
        }
    }
}
