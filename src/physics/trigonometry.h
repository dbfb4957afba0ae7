// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "physics/pair_formulas.h"

namespace mdsim::physics {

/// The angle of (x, y) in (-pi, pi], 0 for (0, 0); relative error below 1e-15. Own, because the bits of the C
/// library's depend on the machine. atan(t)/t on [0, 1] is a rational function of t^2 (fitted as in
/// error_function.inl; 6e-18).
MDSIM_FORMULA double angle_of(double y, double x) {
    const double ax = x < 0.0 ? -x : x, ay = y < 0.0 ? -y : y;
    const bool steep = ay > ax;
    const double larger = steep ? ay : ax, smaller = steep ? ax : ay;
    if (larger == 0.0) return 0.0;
    const double t = smaller / larger, u = t * t;
    using Ops = ScalarOps<double>;
    const double n = horner<Ops>(u, 1.0, 2.505516270060141, 2.282834481922581, 0.9209230384599235, 0.15918011505437787,
                                 0.009358336950291523, 8.069165508240845e-05);
    const double d = horner<Ops>(u, 1.0, 2.838849603393472, 3.0291176830539586, 1.5057161549829556, 0.34970079577667423,
                                 0.03299449160578868, 0.0008265393408804527);
    double angle = t * n / d;
    if (steep) angle = 0.5 * std::numbers::pi - angle;
    if (x < 0.0) angle = std::numbers::pi - angle;
    return y < 0.0 ? -angle : angle;
}

}  // namespace mdsim::physics
