// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/prolate/prolate.h"

#include <cmath>
#include <cstddef>

#include "core/error.h"
#include "forces/mesh/prolate/gauss_legendre.h"

namespace mdsim::mesh {

namespace {

/// psi in normalised Legendre polynomials P_k, k = 0, 2, ..., is an eigenvector of a symmetric tridiagonal matrix
/// (Bouwkamp, J. Math. Phys. 26 (1947) 79; Xiao, Rokhlin and Yarvin, Inverse Problems 17 (2001) 805, section 3.1).
struct Tridiagonal {
    std::vector<double> diagonal, beside;
};

Tridiagonal legendre_matrix(double c, std::size_t terms) {
    Tridiagonal m;
    for (std::size_t j = 0; j < terms; ++j) {
        const double k = 2.0 * static_cast<double>(j);
        m.diagonal.push_back(k * (k + 1) + (2 * k * (k + 1) - 1) / ((2 * k + 3) * (2 * k - 1)) * c * c);
        m.beside.push_back((k + 2) * (k + 1) / ((2 * k + 3) * std::sqrt((2 * k + 1) * (2 * k + 5))) * c * c);
    }
    return m;
}

/// x = m^-1 x for a positive definite matrix.
void solve(const Tridiagonal& m, std::vector<double>& x) {
    const std::size_t n = x.size();
    std::vector<double> pivot(n);
    pivot[0] = m.diagonal[0];
    for (std::size_t i = 1; i < n; ++i) {
        const double factor = m.beside[i - 1] / pivot[i - 1];
        pivot[i] = m.diagonal[i] - factor * m.beside[i - 1];
        x[i] -= factor * x[i - 1];
    }
    x[n - 1] /= pivot[n - 1];
    for (std::size_t i = n - 1; i-- > 0;) x[i] = (x[i] - m.beside[i] * x[i + 1]) / pivot[i];
}

}  // namespace

// psi belongs to the smallest eigenvalue, about c; the next one is about 5 c, so that each inverse iteration leaves a
// fifth of the error.
Prolate::Prolate(double bandwidth) {
    MDSIM_EXPECT(bandwidth > 0.0);
    const auto terms = static_cast<std::size_t>(24.0 + 0.7 * bandwidth);
    const Tridiagonal matrix = legendre_matrix(bandwidth, terms);
    std::vector<double> v(terms, 0.0);
    v[0] = 1.0;
    for (int step = 0; step < 60; ++step) {
        solve(matrix, v);
        double square = 0.0;
        for (const double b : v) square += b * b;
        for (double& b : v) b /= std::sqrt(square);
    }
    for (std::size_t j = 0; j < terms; ++j) {
        legendre_.push_back(v[j] * std::sqrt(2.0 * static_cast<double>(j) + 0.5));
    }
    const double scale = 1.0 / value(0.0);
    for (double& b : legendre_) b *= scale;
}

Prolate::Point Prolate::at(double x) const {
    Point sum{};
    double before = 0.0, now = 1.0, slope_before = 0.0, slope = 0.0;  // P_k-1, P_k and their derivatives, k = 2 j
    for (std::size_t j = 0; j < legendre_.size(); ++j) {
        const double k = 2.0 * static_cast<double>(j);
        const double above = ((2 * k + 1) * x * now - k * before) / (k + 1);
        sum.value += legendre_[j] * now;
        sum.slope += legendre_[j] * slope;
        sum.integral += legendre_[j] * (above - before) / (2 * k + 1);
        // P'_k+1 = P'_k-1 + (2 k + 1) P_k
        const double slope_above = slope_before + (2 * k + 1) * now;
        const double next = ((2 * k + 3) * x * above - (k + 1) * now) / (k + 2);
        slope += (2 * k + 3) * above;
        slope_before = slope_above;
        before = above;
        now = next;
    }
    return sum;
}

double Prolate::transform(double kappa) const {
    static const GaussLegendre<72> rule;
    return 2.0 * rule.integral([&](double s) { return value(s) * std::cos(kappa * s); });
}

}  // namespace mdsim::mesh
