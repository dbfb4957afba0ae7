// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/vec3.h"
#include "parallel/comm.h"

namespace mdsim {

/// Sum of a.b over the atoms of all ranks that depends neither on their order nor on threads: every product is rounded
/// once to a unit that is at most 2^-56 of the largest possible one (powers of two from the largest components of a and
/// b) and summed in 128 bits. So it serves forces of 1e9 kJ/mol/nm and of 1e-3 alike. Not-a-number where a component is
/// not finite. Called by all ranks.
double wide_dot(std::span<const Vec3d> a, std::span<const Vec3d> b, const Comm& comm);

/// The longest vector of all ranks: its length, and the lowest id of the atoms that have it (-1 if there are none or
/// all are zero). A length that is not a number counts as infinite.
struct Longest {
    double length = 0.0;
    std::int64_t atom = -1;
};
/// `ids` ascending; extent of both: home atoms. Called by all ranks.
Longest longest(std::span<const Vec3d> a, std::span<const std::int64_t> ids, const Comm& comm);

}  // namespace mdsim
