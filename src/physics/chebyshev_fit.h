// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <numbers>

namespace mdsim::physics {

/// Fits f on [-1, 1] by a polynomial of n terms, lowest power first: interpolation at the zeros of Chebyshev's
/// polynomial T_n, then collected by powers (Press et al., Numerical Recipes, 3rd ed., sections 5.8 and 5.10).
template <int n, class F>
void fit_by_powers(double (&fit)[n], F&& f) {
    double chebyshev[n] = {};
    for (int k = 0; k < n; ++k) {
        const double angle = std::numbers::pi * (k + 0.5) / n;
        const double value = f(std::cos(angle));
        for (int j = 0; j < n; ++j) chebyshev[j] += 2.0 / n * value * std::cos(j * angle);
    }
    chebyshev[0] *= 0.5;
    double before[n] = {1.0}, now[n] = {0.0, 1.0};  // T_0 and T_1 by powers
    for (int k = 0; k < n; ++k) fit[k] = chebyshev[0] * before[k] + chebyshev[1] * now[k];
    for (int j = 2; j < n; ++j) {
        double next[n] = {};
        for (int k = 0; k < n; ++k) next[k] = (k > 0 ? 2.0 * now[k - 1] : 0.0) - before[k];
        for (int k = 0; k < n; ++k) {
            fit[k] += chebyshev[j] * next[k];
            before[k] = now[k];
            now[k] = next[k];
        }
    }
}

/// The polynomial at t.
template <int n>
double value_by_powers(const double (&fit)[n], double t) {
    double value = 0.0;
    for (int k = n; k-- > 0;) value = value * t + fit[k];
    return value;
}

}  // namespace mdsim::physics
