// SPDX-License-Identifier: Apache-2.0
#include "run/bench/timed_stage.h"

#include <algorithm>
#include <chrono>

namespace mdsim {

const StageInput& first_dynamics(const Setup& setup) {
    const auto& stages = setup.input.stages;
    const auto found =
        std::find_if(stages.begin(), stages.end(), [](const StageInput& s) { return s.kind == StageKind::dynamics; });
    if (found != stages.end()) return *found;
    throw_input_error({.code = "MD412",
                       .place = {setup.input.file.string()},
                       .what = "the input has no stage of dynamics to time",
                       .remedy = "add a [[stage]] with kind = \"dynamics\""});
}

namespace {

State starting_state(const Setup& setup, const StageInput& stage, const DynamicsParts& parts) {
    State state = setup.start;
    prepare_dynamics(state, parts.atoms, *parts.constraints, *parts.ranks);
    if (generates_velocities(setup) || !setup.has_velocities) {
        generate_velocities(
            state, parts.atoms, *parts.constraints,
            {stage.temperature_from.value_or(300.0), parts.degrees, setup.input.system.seed, com_removal(setup, stage)},
            *parts.ranks);
    }
    return state;
}

}  // namespace

TimedStage::TimedStage(const Setup& setup) : stage_(first_dynamics(setup)), simulation_(make_simulation(setup)) {}

Simulation TimedStage::make_simulation(const Setup& setup) {
    DynamicsParts parts = build_dynamics(setup, stage_, make_references(setup, stage_, setup.start), {});
    State state = starting_state(setup, stage_, parts);
    ranks_ = parts.ranks;
    atoms_ = parts.atoms;
    degrees_ = parts.degrees;
    return {std::move(parts), std::move(state), [](std::int64_t) { return Due::nothing; },
            [](const StepReport&, Due) {}};
}

double TimedStage::step(std::int64_t steps) {
    const auto start = std::chrono::steady_clock::now();
    simulation_.run(simulation_.state().step + steps, [] { return false; });
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double TimedStage::temperature() const {
    return mdsim::temperature(kinetic_energy(atoms_, simulation_.state().v, *ranks_), degrees_);
}

}  // namespace mdsim
