// SPDX-License-Identifier: Apache-2.0
#include "run/bench/timed_stage.h"

#include <algorithm>
#include <chrono>

#include "run/hardware/process_memory.h"

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

void prepare(const Setup& setup, const StageInput& stage, const DynamicsParts& parts, State& state) {
    const Comm& ranks = parts.domain->comm();
    prepare_dynamics(state, parts.atoms, *parts.constraints, ranks);
    if (generates_velocities(setup) || !setup.has_velocities) {
        generate_velocities(
            state, parts.atoms, *parts.constraints,
            {stage.temperature_from.value_or(300.0), parts.degrees, setup.input.system.seed, com_removal(setup, stage)},
            ranks);
    }
    parts.domain->sites().settle(state.x, state.v);
}

}  // namespace

TimedStage::TimedStage(const Setup& setup, State start)
    : stage_(first_dynamics(setup)),
      domain_(make_domain(setup, separate_mesh_ranks(setup))),
      simulation_(make_simulation(setup, std::move(start))) {}

Simulation TimedStage::make_simulation(const Setup& setup, State state) {
    domain_->distribute(state);
    give_back_freed_memory();
    const RestraintReferences references = make_references(setup, stage_, state, *domain_);
    state.references = home_references(setup, stage_, references, *domain_);
    DynamicsParts parts = build_dynamics(setup, stage_, references, *domain_, {});
    prepare(setup, stage_, parts, state);
    mesh_ranks_ = settle_mesh_ranks({setup, stage_, references, {}}, domain_, state, parts);
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
    return mdsim::temperature(kinetic_energy(domain_->home_parameters(), simulation_.state().v, domain_->comm()),
                              degrees_);
}

}  // namespace mdsim
