// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "system/topology.h"

namespace mdsim {

/// What a picture may be coloured or cut by, beside numbers. In files for ParaView as the array `kind`.
enum class AtomKind : std::int32_t { other = 0, protein = 1, water = 2, ion = 3 };

/// What files for ParaView say about atoms in each frame alike; an entry for each atom, numbers from 1.
struct AtomArrays {
    /// ids: numbers in the whole system of the atoms of `topology`, from 0; empty: 0, 1, 2, ... The topology must
    /// outlive this: names are its own.
    AtomArrays(const Topology& topology, std::span<const std::int64_t> ids);

    std::size_t size() const { return element.size(); }

    /// Arrays of numbers with their names in files.
    std::array<std::pair<const char*, const std::vector<std::int32_t>*>, 5> integers() const {
        return {{{"element", &element},
                 {"atom_id", &atom_id},
                 {"residue_id", &residue_id},
                 {"molecule_id", &molecule_id},
                 {"kind", &kind}}};
    }
    std::array<std::pair<const char*, const std::vector<float>*>, 3> reals() const {
        return {{{"radius", &radius}, {"mass", &mass}, {"charge", &charge}}};
    }

    std::vector<std::int32_t> element;  ///< atomic number, 0 where unknown
    std::vector<std::int32_t> atom_id, residue_id, molecule_id;
    std::vector<std::int32_t> kind;  ///< AtomKind
    std::vector<float> radius;       ///< vdw_radius
    std::vector<float> mass;         ///< [u]
    std::vector<float> charge;       ///< [e]
    std::vector<const char*> atom_name, residue_name;
    std::vector<std::int64_t> bonds;  ///< pairs of atoms, from 0; extent: 2 * bonds
};

/// Van der Waals radius [nm]: Mantina, Chamberlin, Valero, Cramer & Truhlar, J. Phys. Chem. A 113, 5806 (2009), table
/// 12, for elements of the main groups; Bondi, J. Phys. Chem. 68, 441 (1964), table I, for metals beside; 0.2 nm for
/// others.
float vdw_radius(int atomic_number);

}  // namespace mdsim
