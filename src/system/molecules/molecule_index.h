// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// Where an atom stands in its molecule.
struct AtomPlace {
    const MoleculeType* type;
    std::int64_t molecule;    ///< number of the molecule
    std::int64_t first_atom;  ///< global number of the molecule's first atom
    int atom;                 ///< number within the molecule
};

/// Finds the molecule of a global atom number. Its size is that of the list of blocks, not of the system. The topology
/// must outlive it.
class MoleculeIndex {
  public:
    explicit MoleculeIndex(const Topology& topology);
    AtomPlace place(std::int64_t id) const;
    const Atom& atom(std::int64_t id) const {
        const AtomPlace p = place(id);
        return p.type->atoms[static_cast<std::size_t>(p.atom)];
    }

  private:
    struct Block {
        std::int64_t first_atom, first_molecule;
        const MoleculeType* type;
    };
    std::vector<Block> blocks_;
};

/// Places of atoms one after the other, most of them in the molecule of the one before. The index must outlive it.
class PlaceWalk {
  public:
    explicit PlaceWalk(const MoleculeIndex& molecules) : molecules_(molecules) {}
    const AtomPlace& place(std::int64_t id) {
        const std::int64_t atom = id - place_.first_atom;
        if (place_.type != nullptr && atom >= 0 && atom < place_.type->size()) {
            place_.atom = static_cast<int>(atom);
        } else {
            place_ = molecules_.place(id);
        }
        return place_;
    }

  private:
    const MoleculeIndex& molecules_;
    AtomPlace place_{nullptr, 0, 0, 0};
};

}  // namespace mdsim
