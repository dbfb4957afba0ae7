// SPDX-License-Identifier: Apache-2.0
#include "forces/force_set.h"

#include "forces/short_range/pair_virial.h"
#include "parallel/threads.h"

namespace mdsim {

ForceSet::ForceSet(ForceTerms terms, std::int64_t list_every) : terms_(std::move(terms)), list_every_(list_every) {}

// With a box the lattice is the box. In vacuum it stays the same cube until an atom leaves its middle half; then all
// that was made with the old one is made anew.
Lattice ForceSet::lattice_of(const State& state) {
    if (state.box.periodic()) return Lattice(state.box, state.x);
    if (!vacuum_lattice_ || !vacuum_lattice_->holds(state.x)) {
        vacuum_lattice_ = std::make_unique<Lattice>(state.box, state.x);
        lists_made_ = false;
    }
    return *vacuum_lattice_;
}

void ForceSet::update_lists(const Evaluation& evaluation) {
    const ScopedTimer timer(timers_, Part::search);
    const bool all = !lists_made_ || (list_every_ > 0 && evaluation.plan.step % list_every_ == 0);
    const auto update = [&](ForceTerm& term) {
        if (all || term.expired(evaluation)) term.rebuild(evaluation);
    };
    for (const auto& term : terms_.device) update(*term);
    for (const auto& term : terms_.host) update(*term);
    lists_made_ = true;
}

void ForceSet::launch_device(const Evaluation& evaluation) {
    const ScopedTimer timer(timers_, Part::device_launch);
    for (const auto& term : terms_.device) term->launch(evaluation);
}

void ForceSet::collect_device(const Evaluation& evaluation) {
    const ScopedTimer timer(timers_, Part::device_wait);
    for (const auto& term : terms_.device) term->collect(evaluation, sink_);
}

std::vector<gpu::Timeline*> ForceSet::timelines() const {
    std::vector<gpu::Timeline*> timelines;
    for (const auto& term : terms_.device) timelines.push_back(&term->timeline());
    return timelines;
}

// What runs at once: the device computes its terms, all threads of the host theirs. They share nothing: the device has
// its copy of the lattice coordinates, and its sums are added to the sink after both.
void ForceSet::compute(const Evaluation& evaluation) {
    sink_.begin();
    launch_device(evaluation);
    for (const auto& term : terms_.host) {
        const ScopedTimer timer(timers_, term->part());
        term->compute_home(evaluation, sink_);
        term->compute(evaluation, sink_);
    }
    collect_device(evaluation);
    sink_.finish();
    resolve_pair_virial(evaluation.lattice.cell(), sink_.energies());
}

const ForceSink& ForceSet::evaluate(const State& state, StepPlan plan) {
    if (sink_.size() != state.x.size()) sink_.resize(state.x.size(), thread_count());
    points_.resize(state.x.size());
    const Lattice lattice = lattice_of(state);
    lattice.points(state.x, points_);
    Evaluation evaluation{state.box, lattice, state.x, points_, plan};
    update_lists(evaluation);
    compute(evaluation);
    // A pair too strong for single precision is a property of the positions, so that every run repeats the same steps.
    if (sink_.energies().strong_pair()) {
        evaluation.plan.overlaps = Need::yes;
        compute(evaluation);
    }
    return sink_;
}

}  // namespace mdsim
