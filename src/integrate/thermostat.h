// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "parallel/comm.h"
#include "system/state.h"

namespace mdsim {

/// Bath temperature [K] that moves in a straight line in time from the first to the last step of a stage.
struct TemperatureRamp {
    double from = 0.0, to = 0.0;  ///< [K]
    std::int64_t first_step = 0;
    std::int64_t last_step = 0;

    double at(std::int64_t step) const;
};

/// With the heat of all ranks: what a checkpoint keeps. Called by all ranks.
CouplingState of_all_ranks(const CouplingState& coupling, const Comm& comm);
/// The reverse, where a run is continued: all the heat so far goes to the leading rank.
CouplingState of_this_rank(const CouplingState& of_all, const Comm& comm);
/// Energy that thermostats of any kind took out so far [kJ/mol], on all ranks. Called by all ranks.
double thermostat_work(const CouplingState& coupling, const Comm& comm);

/// Stochastic velocity rescaling: Bussi, Donadio & Parrinello, J. Chem. Phys. 126 (2007) 014101, eq A7; Bussi &
/// Parrinello, Comput. Phys. Commun. 179 (2008) 26. The random numbers depend on seed and step alone.
class VRescale {
  public:
    struct Settings {
        double time;      ///< tau [ps]; 0 draws a new kinetic energy every time
        double interval;  ///< between two uses: coupling_every * dt [ps]
        double degrees;   ///< of freedom
        std::uint64_t seed;
    };
    explicit VRescale(const Settings& settings) : settings_(settings) {}

    /// The factor for the velocities v(t - dt/2), whose kinetic energy on all ranks is `kinetic` [kJ/mol], towards
    /// `temperature` [K] at this step. Books the energy that goes out in state.coupling.thermostat_work. 1 where
    /// nothing moves.
    double scale(State& state, double kinetic, double temperature) const;

  private:
    Settings settings_;
};

}  // namespace mdsim
