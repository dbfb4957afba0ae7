// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "core/step_plan.h"
#include "core/timers.h"
#include "forces/force_sink.h"
#include "forces/force_term.h"
#include "system/lattice.h"
#include "system/state.h"

namespace mdsim {

/// The terms of a potential, those of the host and those of a device; either may be none.
struct ForceTerms {
    std::vector<std::unique_ptr<HostTerm>> host;
    std::vector<std::unique_ptr<DeviceTerm>> device;
};

/// All terms of the potential of one stage. Nothing is carried from one evaluation to the next but pair lists, which
/// cannot change a result.
class ForceSet {
  public:
    /// `list_every` > 0 has pair lists made anew at every multiple of that many steps (a debug key; the results are
    /// the same).
    ForceSet(ForceTerms terms, std::int64_t list_every);

    /// Potential energy terms, virial and forces at state.x, as the plan asks. Valid until the next call.
    const ForceSink& evaluate(const State& state, StepPlan plan);

    /// Time by part of the step since construction or the last reset.
    Timers& timers() { return timers_; }
    /// Times of the devices, one of each term of a device.
    std::vector<gpu::Timeline*> timelines() const;

  private:
    ForceTerms terms_;
    std::int64_t list_every_;
    std::unique_ptr<Lattice> vacuum_lattice_;
    std::vector<LatticePoint> points_;
    ForceSink sink_;
    bool lists_made_ = false;
    Timers timers_;

    Lattice lattice_of(const State& state);
    void update_lists(const Evaluation& evaluation);
    void compute(const Evaluation& evaluation);
    void launch_device(const Evaluation& evaluation);
    void collect_device(const Evaluation& evaluation);
};

}  // namespace mdsim
