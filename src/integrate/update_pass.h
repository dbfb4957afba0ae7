// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/fixed_point.h"
#include "integrate/integrator.h"
#include "parallel/threads.h"

namespace mdsim {

/// Velocity change of an atom [nm/ps] for dt [ps], force [2^-32 kJ/mol/nm], inverse mass [1/u].
inline Vec3d kick(const Vec3l& force, double inverse_mass, double dt) {
    const double scale = dt * inverse_mass * (1.0 / fixed::force_scale);
    return {scale * static_cast<double>(force.x), scale * static_cast<double>(force.y),
            scale * static_cast<double>(force.z)};
}

/// Runs f(slice, sums of this thread) over all slices on all threads and returns the sum of the threads' sums
/// (integers: any order gives the same). Sums: default constructible, with add(const Sums&).
template <class Sums, class F>
Sums over_slices(const ConstraintSet& constraints, F&& f) {
    const auto slices = constraints.slices();
    std::vector<Sums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(slices.size(), [&](int thread, std::size_t begin, std::size_t end) {
        Sums sums{};
        for (std::size_t s = begin; s < end; ++s) f(slices[s], sums);
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    Sums total{};
    for (const Sums& p : partial) total.add(p);
    return total;
}

}  // namespace mdsim
