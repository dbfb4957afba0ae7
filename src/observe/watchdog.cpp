// SPDX-License-Identifier: Apache-2.0
#include "observe/watchdog.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "core/error.h"
#include "core/fixed_point.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

enum class Fault { none, not_a_number, force, move };

// Half of what 64 bits hold: sums of saturated addends end there.
constexpr double largest_force = 4.6e18;

double size2_of(const Vec3l& f) {
    const Vec3d d{static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z)};
    return norm2(d);
}

Fault fault_of(const Vec3d& x, const Vec3d& v, const Vec3l& f, double fastest2) {
    // One test for all six: a sum with a not-a-number or an infinity in it is neither below nor above.
    if (!(std::abs(x.x) + std::abs(x.y) + std::abs(x.z) < 1e300)) return Fault::not_a_number;
    if (!(norm2(v) < 1e300)) return Fault::not_a_number;
    if (size2_of(f) > largest_force * largest_force) return Fault::force;
    return norm2(v) > fastest2 ? Fault::move : Fault::none;
}

}  // namespace

void Watchdog::check(const State& state, const Moved& moved, double dt) const {
    struct Found {
        std::size_t atom = 0;
        Fault fault = Fault::none;
    };
    const double fastest = limits_.longest_move / dt;
    std::vector<Found> partial(static_cast<std::size_t>(thread_count()));
    parallel_ranges(state.x.size(), [&](int thread, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Fault fault = fault_of(state.x[i], state.v[i], moved.forces[i], fastest * fastest);
            if (fault == Fault::none) continue;
            partial[static_cast<std::size_t>(thread)] = {i, fault};
            return;
        }
    });
    // Threads have ascending ranges: the first one that found something has the lowest atom.
    for (const Found& found : partial) {
        if (found.fault == Fault::none) continue;
        const std::string name = names_.describe(moved.ids[found.atom]);
        switch (found.fault) {
            case Fault::none:
                break;
            case Fault::not_a_number:
                bark(moved, "MD502", "the position of " + name + " is not a number any more");
            case Fault::force:
                bark(moved, "MD503", "the force on " + name + " is beyond all bounds");
            case Fault::move:
                bark(moved, "MD504",
                     fmt::format("{} moves {:.3g} nm in one step", name, dt * norm(state.v[found.atom])));
        }
    }
}

void Watchdog::check_temperature(const Moved& moved, double temperature) const {
    if (temperature <= limits_.highest_temperature) return;
    bark(moved, "MD505", fmt::format("the temperature has risen to {:.4g} K", temperature));
}

void Watchdog::bark(const Moved& moved, const char* code, const std::string& what) const {
    const auto& forces = moved.forces;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        if (size2_of(forces[i]) > size2_of(forces[worst])) worst = i;
    }
    std::string why;
    if (!forces.empty()) {
        why = fmt::format("the largest force is {:.4g} kJ/mol/nm, on {}",
                          std::sqrt(size2_of(forces[worst])) / fixed::force_scale, names_.describe(moved.ids[worst]));
    }
    throw Error(
        ExitCode::unstable,
        Problem{.code = code,
                .what = what,
                .why = why,
                .remedy = "a stage of kind \"minimise\" before this one, a shorter timestep, or a look at the atoms "
                          "named here in the start structure"});
}

}  // namespace mdsim
