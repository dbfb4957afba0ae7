// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "forces/force_term.h"
#include "forces/restraints/restraint_sums.h"
#include "system/restraints/restraint_kinds.h"

namespace mdsim {

/// Atoms whose centre of mass is restrained; extent of each: atoms of the group.
struct AtomGroup {
    std::vector<std::int64_t> ids;  ///< global numbers, ascending
    std::vector<double> weight;     ///< mass over that of the group
    /// Box vectors to be added to the unwrapped position: molecules of a group are taken in the images in which they
    /// are near each other at the start. Whole numbers.
    std::vector<Vec3d> images;
};

/// k/2 of the squared way to the nearest value of [lower, upper], for the distance of two centres, the angle at the
/// second of three, or the dihedral angle of four.
struct GroupRestraint {
    std::string name;
    GroupMeasure measure = GroupMeasure::distance;
    std::array<std::size_t, 4> groups{};  ///< places in the list of groups, as many as the measure needs
    double lower = 0.0, upper = 0.0;      ///< [nm] or [rad]
    double force_constant = 0.0;          ///< [kJ/mol/nm^2] or [kJ/mol/rad^2]
};

/// All restraints of a stage between centres of mass, counted as `restraint`. Vectors between centres are nearest
/// images. Atoms of a group may be anywhere: each rank adds the mass-weighted positions of its home atoms as integers
/// [2^-48 nm], one sum over ranks makes the centres, which are the same bits everywhere, and each rank gives its own
/// atoms their share of the force. The leading rank counts energy and virial.
class GroupRestraints final : public HostTerm {
  public:
    /// The ranks must outlive it, and compute it together.
    GroupRestraints(std::vector<AtomGroup> groups, std::vector<GroupRestraint> restraints, const Comm& ranks);

    Part part() const override { return Part::bonded; }
    void assign(const LocalSystem& system) override;
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation& evaluation, ForceSink& sink) override;
    void report(std::vector<RestraintSums>& to) const override;

  private:
    struct Member {
        std::size_t atom, group;  ///< local; place in groups_
        double weight;
        Vec3d images;
    };
    struct Centres;  // of all groups, in one evaluation
    std::vector<AtomGroup> groups_;
    std::vector<GroupRestraint> restraints_;
    const Comm& ranks_;
    std::vector<Member> home_;
    std::vector<RestraintSums> report_;  ///< of the last evaluation with energies; extent: restraints

    std::vector<fixed::EnergySum> sum_positions(const Evaluation& evaluation) const;
    void restrain(std::size_t number, Centres& centres, const StepPlan& plan, ForceSink::Slot& slot);
};

}  // namespace mdsim
