// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/fixed_point.h"
#include "core/timers.h"
#include "integrate/integrator.h"
#include "parallel/threads.h"

namespace mdsim {

/// Velocity change of an atom [nm/ps] for dt [ps], force [2^-32 kJ/mol/nm], inverse mass [1/u].
inline Vec3d kick(const Vec3l& force, double inverse_mass, double dt) {
    const double scale = dt * inverse_mass * (1.0 / fixed::force_scale);
    return {scale * static_cast<double>(force.x), scale * static_cast<double>(force.y),
            scale * static_cast<double>(force.z)};
}

/// What a pass adds up beside what it does: integers, for which any order gives the same, and the time of threads.
struct PassSums {
    EnergySums virial;      ///< of constraint forces
    fixed::EnergySum heat;  ///< kinetic energy that friction and noise brought in
    Stopwatch pass, constraints;

    void add(const PassSums& other) {
        virial.add(other.virial);
        heat.add(other.heat);
        pass.add(other.pass);
        constraints.add(other.constraints);
    }
    /// The share of constraints in the time of all threads.
    double constraint_share() const { return pass.seconds() > 0.0 ? constraints.seconds() / pass.seconds() : 0.0; }
};

/// Runs f(slice, sums of this thread) over all slices on all threads and returns the sum of the threads' sums.
template <class F>
PassSums over_slices(const ConstraintSet& constraints, F&& f) {
    const auto slices = constraints.slices();
    std::vector<PassSums> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(slices.size(), [&](int thread, std::size_t begin, std::size_t end) {
        PassSums sums;
        sums.pass.run([&] {
            for (std::size_t s = begin; s < end; ++s) f(slices[s], sums);
        });
        partial[static_cast<std::size_t>(thread)] = sums;
    });
    PassSums total;
    for (const PassSums& p : partial) total.add(p);
    return total;
}

}  // namespace mdsim
