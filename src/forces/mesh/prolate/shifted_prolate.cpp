// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/prolate/shifted_prolate.h"

#include <algorithm>
#include <cmath>

#include "forces/mesh/prolate/gauss_legendre.h"

namespace mdsim::mesh {

namespace {

const GaussLegendre<60>& rule() {
    static const GaussLegendre<60> points;
    return points;
}

}  // namespace

ShiftedProlate::ShiftedProlate(double bandwidth)
    : psi_(bandwidth), shift_(psi_.value(1.0)), norm_(psi_.integral(1.0) - shift_) {}

double ShiftedProlate::chi(double x) const {
    return (psi_.value(x) - shift_) / norm_;
}

double ShiftedProlate::phi(double x) const {
    return (psi_.integral(x) - shift_ * x) / norm_;
}

// Phi(x)/x, and [Phi(x)/x - chi(x)]/x^2, as integrals over u = s/x, which lose no digits at small x.
double ShiftedProlate::energy(double x) const {
    return rule().integral([&](double u) { return chi(x * u); });
}

double ShiftedProlate::force_over_r(double x) const {
    return -rule().integral([&](double u) { return u * psi_.slope(x * u); }) / (x * norm_);
}

double ShiftedProlate::gamma(double kappa) const {
    return rule().integral([&](double x) { return chi(x) * std::cos(kappa * x); });
}

double ShiftedProlate::second_moment() const {
    return rule().integral([&](double x) { return x * x * chi(x); });
}

physics::CoulombTail<double> prolate_tail(double bandwidth, double cutoff) {
    const ShiftedProlate split(bandwidth);
    return physics::coulomb_tail_prolate(cutoff, [&](double x) { return split.force_over_r(x); });
}

ProlateSplit prolate_split(double bandwidth, double cutoff) {
    const ShiftedProlate split(bandwidth);
    // Beyond, gamma is noise that the window would magnify.
    const double largest_kappa = 1.2 * bandwidth;
    double fit[prolate_terms];
    physics::fit_by_powers(fit, [&](double y) { return split.gamma(largest_kappa * std::sqrt(0.5 * (1.0 + y))); });
    ProlateSplit out;
    out.largest_k2 = largest_kappa * largest_kappa / (cutoff * cutoff);
    std::copy_n(fit, prolate_terms, out.gamma.begin());
    return out;
}

}  // namespace mdsim::mesh
