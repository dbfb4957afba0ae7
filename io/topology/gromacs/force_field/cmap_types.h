// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/topology/gromacs/force_field/parameters.h"
#include "io/topology/gromacs/report.h"
#include "system/force_field.h"

namespace mdsim::gromacs {

/// An atom of a [ cmap ] line as [ cmaptypes ] tells them apart.
struct CmapAtom {
    int bonded;  ///< number of its bonded type
    std::string_view residue;
};

/// [ cmaptypes ]: the grids, and for which five atoms each of them is. An atom is given by its bonded type, or by
/// bonded type and residue as in XC-ALA, where the residue * stands for any (as in GROMACS' port of ff19SB).
class CmapTypes {
  public:
    /// One line: five atoms, function 1, the number of points along both angles, the energies [kJ/mol], second angle
    /// fastest.
    void read(Fields fields, Origin origin, const std::unordered_map<std::string, int>& bonded_numbers, Report& report);

    /// Number of the grid for these atoms in this order; that of the first line which fits, as in GROMACS. -1: none.
    int find(const std::array<CmapAtom, 5>& atoms) const;
    const CmapGrid& grid(int number) const { return lines_[static_cast<std::size_t>(number)].grid; }

  private:
    struct Site {
        int bonded = -1;
        std::string residue = "*";
    };
    struct Entry {
        std::array<Site, 5> sites;
        CmapGrid grid;
    };

    std::vector<Entry> lines_;
};

}  // namespace mdsim::gromacs
