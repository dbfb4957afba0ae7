// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "integrate/barostats/c_rescale.h"
#include "integrate/barostats/monte_carlo.h"
#include "integrate/integrator.h"
#include "integrate/thermostat.h"
#include "integrate/velocities.h"
#include "system/state.h"

namespace mdsim {

/// Thermostat, barostat and the removal of centre-of-mass motion of one stage. They act on steps that are multiples of
/// their interval, counted from the global step 0, so that a continuation and a longer run act on the same ones. Called
/// by all ranks with their home atoms; what they decide is the same on all.
class Coupling {
  public:
    struct Settings {
        std::int64_t every = 10;            ///< steps between two uses of thermostat and barostat
        std::int64_t remove_com_every = 0;  ///< steps; 0: never
        TemperatureRamp temperature;        ///< of the bath [K]
        std::optional<VRescale> v_rescale;
        std::optional<CRescale> c_rescale;
        std::optional<MonteCarloBarostat> monte_carlo;
    };
    explicit Coupling(Settings settings) : settings_(std::move(settings)) {}

    bool needs_pressure(std::int64_t step) const { return settings_.c_rescale && acts(step); }
    bool tries_volume(std::int64_t step) const { return settings_.monte_carlo && acts(step); }
    double temperature(std::int64_t step) const { return settings_.temperature.at(step); }

    /// What happens to v(t - dt/2) before the kick of this step.
    VelocityChange velocity_change(State& state, const AtomParameters& home, const Comm& comm) const;
    /// Leaves the change of the box that is due before the next evaluation. `pressure` [bar] of all ranks.
    void plan_box_move(State& state, const Mat3d& pressure) const;
    /// One Monte Carlo trial; `energy` evaluates the potential energy of all ranks at the state [kJ/mol].
    void try_volume(State& state, const AtomParameters& home, const Comm& comm, const std::function<double()>& energy);

  private:
    Settings settings_;
    bool acts(std::int64_t step) const { return step % settings_.every == 0; }
};

}  // namespace mdsim
