// SPDX-License-Identifier: Apache-2.0
#include "integrate/barostats/monte_carlo.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/fixed_point.h"
#include "core/philox.h"
#include "core/units.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

constexpr std::int64_t trials_per_adaptation = 20;
constexpr double first_step_of_volume = 0.01;  // a hundredth of the volume, as good as any: it adapts
constexpr double largest_step_of_volume = 0.3;

// Streams of one step: what is tried, and whether it is accepted.
RandomStream stream(std::uint64_t seed, std::int64_t step, std::uint64_t which) {
    return {seed, RandomPurpose::monte_carlo_barostat, static_cast<std::uint64_t>(step), which};
}

// The fixed-point unit of energies serves mass times length [u nm] as well.
Vec3d centre_of_mass(const State& state, const AtomParameters& atoms, std::size_t begin, std::size_t end) {
    fixed::EnergySum x, y, z, mass;
    for (std::size_t i = begin; i < end; ++i) {
        x.add(atoms.mass[i] * state.x[i].x);
        y.add(atoms.mass[i] * state.x[i].y);
        z.add(atoms.mass[i] * state.x[i].z);
        mass.add(atoms.mass[i]);
    }
    const double inverse = 1.0 / mass.value();
    return {x.value() * inverse, y.value() * inverse, z.value() * inverse};
}

}  // namespace

MonteCarloBarostat::MonteCarloBarostat(const Topology& topology, const AtomParameters& atoms, const Settings& settings)
    : settings_(settings) {
    topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t) {
        const auto begin = atoms.inverse_mass.begin() + first;
        const bool moves = std::find(begin, begin + type.size(), 0.0) == begin + type.size();
        first_atom_.push_back(first);
        moves_.push_back(moves ? 1 : 0);
        moving_ += moves ? 1 : 0;
    });
    first_atom_.push_back(topology.atoms());
}

Vec3d MonteCarloBarostat::draw_factors(State& state) const {
    const double volume = state.box.volume();
    double& size = state.coupling.volume_step;
    if (!(size > 0.0)) size = first_step_of_volume * volume;
    RandomStream random = stream(settings_.seed, state.step, 0);
    const double ratio = (volume + size * (2.0 * random.uniform() - 1.0)) / volume;
    if (settings_.coupling == PressureCoupling::isotropic) {
        const double factor = std::cbrt(ratio);
        return {factor, factor, factor};
    }
    if (random.uniform() < 0.5) return {1.0, 1.0, ratio};
    const double factor = std::sqrt(ratio);
    return {factor, factor, 1.0};
}

void MonteCarloBarostat::begin_trial(State& state, const AtomParameters& atoms) {
    MDSIM_EXPECT(state.box.periodic());
    saved_x_ = state.x;
    saved_box_ = state.box;
    const Vec3d m = draw_factors(state);
    parallel_ranges(moves_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t molecule = begin; molecule < end; ++molecule) {
            if (!moves_[molecule]) continue;
            const auto first = static_cast<std::size_t>(first_atom_[molecule]);
            const auto last = static_cast<std::size_t>(first_atom_[molecule + 1]);
            const Vec3d centre = centre_of_mass(state, atoms, first, last);
            const Vec3d shift{(m.x - 1.0) * centre.x, (m.y - 1.0) * centre.y, (m.z - 1.0) * centre.z};
            for (std::size_t i = first; i < last; ++i) state.x[i] += shift;
        }
    });
    state.box = state.box.transformed({Vec3d{m.x, 0, 0}, Vec3d{0, m.y, 0}, Vec3d{0, 0, m.z}});
}

Trial MonteCarloBarostat::accept_or_reject(State& state, double energy_before, double energy_after,
                                           double temperature) {
    const double kt = units::boltzmann * temperature;
    const double before = saved_box_.volume(), after = state.box.volume();
    const double work = energy_after - energy_before +
                        settings_.pressure / units::bar_per_pressure_unit * (after - before) -
                        static_cast<double>(moving_) * kt * std::log(after / before);
    RandomStream random = stream(settings_.seed, state.step, 1);
    // Written so that not-a-number is rejected.
    const bool accepted = work <= 0.0 || random.uniform() < std::exp(-work / kt);
    if (accepted) {
        state.coupling.barostat_work -= energy_after - energy_before;
    } else {
        state.x.swap(saved_x_);
        state.box = saved_box_;
    }
    ++state.coupling.trials;
    state.coupling.accepted += accepted ? 1 : 0;
    if (state.coupling.trials == trials_per_adaptation) adapt(state);
    return accepted ? Trial::accepted : Trial::rejected;
}

void MonteCarloBarostat::adapt(State& state) {
    CouplingState& coupling = state.coupling;
    const double rate = static_cast<double>(coupling.accepted) / static_cast<double>(coupling.trials);
    coupling.volume_step *= std::clamp(rate / 0.5, 0.7, 1.3);
    coupling.volume_step = std::min(coupling.volume_step, largest_step_of_volume * state.box.volume());
    coupling.trials = 0;
    coupling.accepted = 0;
}

}  // namespace mdsim
