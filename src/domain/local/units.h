// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "system/molecules/molecule_index.h"

namespace mdsim {

/// What is never split between ranks: the atoms that constraints, rigid waters and virtual sites with their parents tie
/// to each other (connected components within a molecule), or a single atom. Kept by molecule type. The topology must
/// outlive it.
class MoleculeUnits {
  public:
    explicit MoleculeUnits(const Topology& topology);

    /// Number within the molecule of the first atom of an atom's unit, which says what region the unit belongs to.
    int first_of_unit(const AtomPlace& place) const { return atoms_of_unit(place).front(); }
    /// Numbers within the molecule of all atoms of an atom's unit, ascending.
    std::span<const int> atoms_of_unit(const AtomPlace& place) const;

  private:
    struct TypeUnits {
        std::vector<int> atoms;          ///< unit by unit, by first atom, ascending within each; extent: atoms
        std::vector<int> begin, length;  ///< of the unit of an atom, in the former; extent: atoms
    };
    static TypeUnits units_of(const MoleculeType& type);

    const MoleculeType* first_type_;
    std::vector<TypeUnits> types_;  ///< extent: molecule types
};

}  // namespace mdsim
