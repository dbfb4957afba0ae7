// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "run/build.h"
#include "run/mesh_trial/settle_mesh_ranks.h"
#include "run/setup.h"
#include "run/simulation.h"

namespace mdsim {

/// The first stage of dynamics of an input. Input error (MD412) where there is none.
const StageInput& first_dynamics(const Setup& setup);

/// That stage, ready to step as a run would start it, with nothing to write. A file without velocities and a stage
/// without a temperature start at 300 K.
class TimedStage {
  public:
    /// start: of all atoms, on the leading rank.
    TimedStage(const Setup& setup, State start);

    const StageInput& stage() const { return stage_; }
    Simulation& simulation() { return simulation_; }
    /// Steps on; the time that takes [s].
    double step(std::int64_t steps);
    /// What hardware.mesh_ranks = "auto" came to.
    const MeshRanksChoice& mesh_ranks() const { return mesh_ranks_; }
    /// Of the state as it stands [K].
    double temperature() const;

  private:
    const StageInput& stage_;
    std::unique_ptr<Domain> domain_;
    double degrees_ = 0.0;
    MeshRanksChoice mesh_ranks_;
    Simulation simulation_;

    Simulation make_simulation(const Setup& setup, State state);
};

}  // namespace mdsim
