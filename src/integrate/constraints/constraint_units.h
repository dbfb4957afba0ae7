// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "integrate/constraints/group_solver.h"
#include "system/molecules/molecule_index.h"

namespace mdsim {

/// A constraint group or a rigid water as a molecule type has it.
struct ConstraintUnit {
    std::vector<int> atoms;  ///< within the molecule: of a water oxygen and hydrogens, else as constraints name them
    std::vector<GroupConstraint> constraints;  ///< atoms numbered within the unit
    bool rigid_water = false;
    double oh = 0.0, hh = 0.0;  ///< of a rigid water [nm]

    int first() const;  ///< lowest atom
};

/// The constraint groups and rigid waters of each molecule type, however many copies there are. The topology must
/// outlive it.
class ConstraintUnits {
  public:
    /// From Topology::constraints and settles. Input errors: MD451 a group of more than 64 atoms, MD452 one that is
    /// overdetermined, in part or as a whole, or has an impossible length.
    explicit ConstraintUnits(const Topology& topology);

    /// Of a molecule of this type, by first atom.
    std::span<const ConstraintUnit> of(const MoleculeType& type) const {
        return units_[static_cast<std::size_t>(&type - first_type_)];
    }
    const MoleculeIndex& molecules() const { return molecules_; }

  private:
    MoleculeIndex molecules_;
    const MoleculeType* first_type_;
    std::vector<std::vector<ConstraintUnit>> units_;  // extent: molecule types
};

}  // namespace mdsim
