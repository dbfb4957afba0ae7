// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forces/force_term.h"
#include "forces/restraints/restraint_sums.h"

namespace mdsim {

/// One atom held: k_a/2 (x_a - reference_a)^2 along each axis.
struct HeldAtom {
    int atom;         ///< local
    Vec3d k;          ///< [kJ/mol/nm^2]
    Vec3d reference;  ///< [nm], in the frame of the unwrapped positions, for the box given with the list
};

/// What becomes of the references when the box changes. with_box: each keeps its fractional coordinates, that is, it
/// is transformed with the box about the origin (GROMACS' refcoord_scaling = all).
enum class ReferenceScaling { fixed, with_box };

/// How a restraint is called in the energies, and how far from their references its atoms are free [nm]: then, with one
/// force constant k for all axes, the energy is k/2 (|x - reference| - free)^2 beyond that.
struct RestraintLabel {
    std::string name;
    double free = 0.0;
};

/// Position restraints, counted as `restraint`. Plain differences of unwrapped positions. The virial is minus the
/// slope of the energy with the strain when all atoms move with the box about the origin: f (x - reference) where the
/// references move along, f x where they are fixed (then it depends on where the origin is, as the pressure of an
/// external field does).
class PositionRestraints final : public HostTerm {
  public:
    /// `number`: of the places in LocalSystem::references. Every atom that has one is held with force_constant
    /// [kJ/mol/nm^2], or, where none is given, those in the topology's own [ position_restraints ] with its constants.
    /// box: the one that the references belong to; vacuum where there is none (then nothing is ever scaled).
    PositionRestraints(std::size_t number, std::optional<double> force_constant, ReferenceScaling scaling,
                       const Box& box, RestraintLabel label = {});

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override;
    void rebuild(const Evaluation&) override {}
    void compute_home(const Evaluation& evaluation, ForceSink& sink) override;
    void compute(const Evaluation&, ForceSink&) override {}
    void report(std::vector<RestraintSums>& to) const override { to.push_back(report_); }

  private:
    std::size_t number_;
    std::optional<double> force_constant_;
    std::vector<HeldAtom> atoms_;
    ReferenceScaling scaling_;
    Box box_;
    RestraintLabel label_;
    RestraintSums report_;  ///< of the last evaluation with energies

    Vec3d force_on(const HeldAtom& held, const Vec3d& d) const;
};

}  // namespace mdsim
