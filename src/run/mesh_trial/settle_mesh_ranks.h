// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "run/build.h"
#include "run/mesh_trial/mesh_trial.h"

namespace mdsim {

/// A stage of dynamics that is about to make steps.
struct StageToRun {
    const Setup& setup;
    const StageInput& stage;
    const RestraintReferences& references;
    StageStart start;
};

/// Settles hardware.mesh_ranks = "auto" for a stage, by making steps of it with several counts and throwing them away.
/// domain, state and parts become those of the chosen count: the state is the same, on other ranks. What was chosen
/// follows from the lead's clock and is the same on all ranks; no bit of a result depends on it. Collective.
MeshRanksChoice settle_mesh_ranks(const StageToRun& run, std::unique_ptr<Domain>& domain, State& state,
                                  DynamicsParts& parts);

}  // namespace mdsim
