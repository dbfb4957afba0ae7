// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/step_plan.h"
#include "forces/restraints/restraint_sums.h"
#include "parallel/threads.h"

namespace mdsim {

/// What threads add to the report of a restraint of many atoms, where a plan asks for energies.
class ThreadReports {
  public:
    explicit ThreadReports(const StepPlan& plan)
        : of_thread_(plan.energies == Need::yes ? static_cast<std::size_t>(thread_count()) : 0) {}

    /// One atom: its energy [kJ/mol] and the square of how far it is from where it may be [nm^2].
    void add(int thread, double energy, double square) {
        if (of_thread_.empty()) return;
        RestraintSums& sums = of_thread_[static_cast<std::size_t>(thread)];
        sums.energy.add(energy);
        sums.value.add(square);
        sums.atoms.add(1.0);
    }
    /// `named` with what all threads have added; `to` is left as it is where energies were not asked for.
    void give(RestraintSums named, RestraintSums& to) const {
        if (of_thread_.empty()) return;
        for (const RestraintSums& sums : of_thread_) {
            named.energy.add(sums.energy);
            named.value.add(sums.value);
            named.atoms.add(sums.atoms);
        }
        to = std::move(named);
    }

  private:
    std::vector<RestraintSums> of_thread_;
};

}  // namespace mdsim
