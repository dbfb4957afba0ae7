// SPDX-License-Identifier: Apache-2.0
#include "run/parity/start_evaluation.h"

#include "run/build.h"

namespace mdsim {

StartEvaluation evaluate_start(const Setup& setup) {
    const auto domain = make_domain(setup, separate_mesh_ranks(setup));
    State state = setup.start;
    domain->distribute(state);
    const StageInput* stage = setup.input.stages.empty() ? nullptr : &setup.input.stages.front();
    RestraintReferences references;
    if (stage != nullptr) {
        references = make_references(setup, *stage, state, *domain);
        state.references = home_references(setup, *stage, references, *domain);
    }
    const auto set = build_forces(setup, stage, references, *domain, setup.input.hardware.precision);
    const ForceSink& sink = set->evaluate(state, {.step = 0, .energies = Need::yes, .virial = Need::yes});
    std::vector<Vec3d> home;
    for (std::size_t i = 0; i < sink.size(); ++i) home.push_back(sink.force(i));
    return {sink.energies(), set->restraints(), domain->collect(home)};
}

}  // namespace mdsim
