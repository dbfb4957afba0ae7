// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>

#include "physics/pair_formulas.h"

namespace mdsim::physics {

/// The value of [lower, upper] that is nearest: a restraint to a range is a harmonic one to this, of no energy within.
/// A harmonic restraint has lower = upper.
MDSIM_FORMULA double nearest_in(double value, double lower, double upper) {
    return value < lower ? lower : value > upper ? upper : value;
}

/// The same on a circle: the angle phi [rad] itself where it lies on the way up from `lower` to `upper` (lower <= upper
/// < lower + 2 pi), else the nearer end of that arc.
MDSIM_FORMULA double nearest_on_arc(double phi, double lower, double upper) {
    const double middle = 0.5 * (lower + upper), half = 0.5 * (upper - lower);
    const double turns = ScalarOps<double>::round((phi - middle) * (0.5 * std::numbers::inv_pi));
    const double off = phi - middle - 2.0 * std::numbers::pi * turns;
    if (off < -half) return lower;
    return off > half ? upper : phi;
}

}  // namespace mdsim::physics
