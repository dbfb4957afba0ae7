// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/units.h"

namespace mdsim {

/// Lennard-Jones of a pair: c12/r^12 - c6/r^6. c6 [kJ/mol nm^6], c12 [kJ/mol nm^12].
struct LjParameters {
    double c6 = 0.0;
    double c12 = 0.0;
    friend bool operator==(const LjParameters&, const LjParameters&) = default;
};

/// A correction map of two dihedral angles (CMAP): the energy at the points of a periodic grid, `size` points along
/// each angle in equal steps from -180 degrees on. The second angle runs fastest: energy[first * size + second]
/// [kJ/mol], extent size * size.
struct CmapGrid {
    int size = 0;
    std::vector<double> energy;
    friend bool operator==(const CmapGrid&, const CmapGrid&) = default;
};

/// Whose force field it is; decides the Coulomb constant.
enum class ForceFieldSource { amber, charmm, gromacs };

/// Non-bonded parameters by pair of atom types. Combination rules are applied by the readers; here every pair of
/// types has its own numbers, so that off-diagonal (NBFIX, LJEDIT) entries are no special case.
struct ForceField {
    ForceFieldSource source = ForceFieldSource::gromacs;
    double coulomb_constant = units::coulomb_codata2018;  ///< [kJ nm/mol/e^2]
    std::vector<std::string> type_names;                  ///< extent: types
    std::vector<LjParameters> lj;                         ///< extent: types * types, symmetric
    std::vector<CmapGrid> cmap_grids;                     ///< those that terms refer to by number (Cmap::grid)

    int types() const { return static_cast<int>(type_names.size()); }
    const LjParameters& pair(int a, int b) const {
        return lj[static_cast<std::size_t>(a) * type_names.size() + static_cast<std::size_t>(b)];
    }
};

}  // namespace mdsim
