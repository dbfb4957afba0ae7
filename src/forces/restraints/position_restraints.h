// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "forces/force_term.h"
#include "system/topology.h"

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

/// Position restraints, counted as `restraint`. Plain differences of unwrapped positions. The virial is minus the
/// slope of the energy with the strain when all atoms move with the box about the origin: f (x - reference) where the
/// references move along, f x where they are fixed (then it depends on where the origin is, as the pressure of an
/// external field does).
class PositionRestraints final : public HostTerm {
  public:
    /// box: the one that the references belong to; vacuum where there is none (then nothing is ever scaled).
    PositionRestraints(std::vector<HeldAtom> atoms, ReferenceScaling scaling, const Box& box);

    Part part() const override { return Part::bonded; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;

  private:
    std::vector<HeldAtom> atoms_;
    ReferenceScaling scaling_;
    Box box_;
};

/// GROMACS' [ position_restraints ] of a topology with the references of their atoms [nm], extent: atoms.
std::vector<HeldAtom> held_atoms(std::span<const PositionRestraint> restraints, std::span<const Vec3d> references);

/// Null where no atom is held.
std::unique_ptr<HostTerm> make_position_restraints(std::vector<HeldAtom> atoms, ReferenceScaling scaling,
                                                   const Box& box);

}  // namespace mdsim
