// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forces/force_sink.h"
#include "forces/force_term.h"
#include "forces/short_range/pair_virial.h"
#include "parallel/threads.h"

namespace mdsim::test {

/// Calls f(evaluation, sink) and sums what it has added, as ForceSet does: again with `overlaps` after a strong pair.
template <class F>
ForceSink evaluate_terms(Evaluation evaluation, F&& f) {
    ForceSink sink;
    sink.resize(evaluation.points.size(), thread_count());
    sink.begin();
    f(evaluation, sink);
    sink.finish();
    if (sink.energies().strong_pair() && evaluation.plan.overlaps == Need::no) {
        evaluation.plan.overlaps = Need::yes;
        return evaluate_terms(evaluation, f);
    }
    resolve_pair_virial(evaluation.lattice.cell(), sink.energies());
    return sink;
}

inline ForceSink evaluate_term(HostTerm& term, const Evaluation& evaluation) {
    return evaluate_terms(evaluation, [&](const Evaluation& e, ForceSink& sink) {
        term.compute_home(e, sink);
        term.compute(e, sink);
    });
}

}  // namespace mdsim::test
