// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "forces/force_term.h"

namespace mdsim {

/// The topology's flat-bottomed position restraints, counted as `restraint`: k/2 (d - radius)^2 of atoms that have left
/// the range around their references, or, where it keeps them outside, have come into it. References and virial are as
/// in PositionRestraints with ReferenceScaling::with_box.
class FlatPositionRestraints final : public HostTerm {
  public:
    /// `number`: of the places in LocalSystem::references; box: the one that they belong to.
    FlatPositionRestraints(std::size_t number, const Box& box) : number_(number), box_(box) {}

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override;
    void rebuild(const Evaluation&) override {}
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void compute(const Evaluation&, ForceSink&) override {}

  private:
    std::size_t number_;
    std::vector<FlatPositionRestraint> terms_;
    std::vector<Vec3d> references_;  // extent: terms
    Box box_;
};

}  // namespace mdsim
