// SPDX-License-Identifier: Apache-2.0
#include "integrate/thermostat.h"

#include <algorithm>
#include <cmath>

#include "core/philox.h"
#include "core/units.h"

namespace mdsim {

double TemperatureRamp::at(std::int64_t step) const {
    if (last_step <= first_step || from == to) return to;
    const double done = static_cast<double>(step - first_step) / static_cast<double>(last_step - first_step);
    return from + (to - from) * std::clamp(done, 0.0, 1.0);
}

CouplingState of_all_ranks(const CouplingState& coupling, const Comm& comm) {
    CouplingState of_all = coupling;
    comm.sum(std::span(&of_all.heat, 1));
    return of_all;
}

CouplingState of_this_rank(const CouplingState& of_all, const Comm& comm) {
    CouplingState coupling = of_all;
    if (!comm.leads()) coupling.heat = {};
    return coupling;
}

double thermostat_work(const CouplingState& coupling, const Comm& comm) {
    return coupling.thermostat_work - of_all_ranks(coupling, comm).heat.value();
}

double VRescale::scale(State& state, double kinetic, double temperature) const {
    const double degrees = settings_.degrees;
    if (!(kinetic > 0.0) || !(degrees > 0.0)) return 1.0;
    RandomStream random(settings_.seed, RandomPurpose::v_rescale, static_cast<std::uint64_t>(state.step));
    const double keep = settings_.time > 0.0 ? std::exp(-settings_.interval / settings_.time) : 0.0;
    const double r = random.normal();
    // The sum of the squares of the other degrees - 1 normal deviates.
    const double others = degrees > 1.0 ? 2.0 * random.gamma(0.5 * (degrees - 1.0)) : 0.0;
    const double share = (1.0 - keep) * 0.5 * units::boltzmann * temperature / kinetic;
    const double square = keep + share * (r * r + others) + 2.0 * r * std::sqrt(keep * share);
    // The new energy is (sqrt(keep K) + r sqrt(share K))^2 + ...; its root takes the sign of the first term (2008, eq
    // 10).
    const double sign = std::sqrt(keep) + r * std::sqrt(share) < 0.0 ? -1.0 : 1.0;
    state.coupling.thermostat_work -= (square - 1.0) * kinetic;
    return sign * std::sqrt(std::max(square, 0.0));
}

}  // namespace mdsim
