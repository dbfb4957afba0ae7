// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace mdsim::mesh {

/// Gauss and Legendre's rule of n points on [0, 1]: the sum of weight f(point) is the integral of f, exactly for
/// polynomials up to degree 2 n - 1. Points by Newton's method (Press et al., Numerical Recipes, 3rd ed., section 4.6).
template <int n>
struct GaussLegendre {
    std::array<double, n> point{}, weight{};

    GaussLegendre() {
        for (std::size_t i = 0; i < n; ++i) {
            double x = std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 0.0;
            for (int step = 0; step < 10; ++step) {
                double before = 0.0, now = 1.0;
                for (int k = 1; k <= n; ++k) {
                    const double next = ((2 * k - 1) * x * now - (k - 1) * before) / k;
                    before = now;
                    now = next;
                }
                slope = n * (x * now - before) / (x * x - 1.0);
                x -= now / slope;
            }
            point[i] = 0.5 * (1.0 + x);
            weight[i] = 1.0 / ((1.0 - x * x) * slope * slope);
        }
    }

    template <class F>
    double integral(F&& f) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i) sum += weight[i] * f(point[i]);
        return sum;
    }
};

}  // namespace mdsim::mesh
