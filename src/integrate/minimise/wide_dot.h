// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/vec3.h"

namespace mdsim {

/// Sum of a.b over atoms that depends neither on their order nor on threads: every product is rounded once to a unit
/// that is at most 2^-56 of the largest possible one (powers of two from the largest components of a and b) and summed
/// in 128 bits. So it serves forces of 1e9 kJ/mol/nm and of 1e-3 alike. Not-a-number where a component is not finite.
double wide_dot(std::span<const Vec3d> a, std::span<const Vec3d> b);

/// The longest vector: its length, and the lowest atom that has it (-1 if there are none or all are zero). A length
/// that is not a number counts as infinite.
struct Longest {
    double length = 0.0;
    std::int64_t atom = -1;
};
Longest longest(std::span<const Vec3d> a);

}  // namespace mdsim
