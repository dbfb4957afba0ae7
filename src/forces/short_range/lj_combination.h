// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "system/force_field.h"

namespace mdsim {

/// Where a kernel finds the Lennard-Jones parameters of a pair of atoms.
enum class LjSource {
    lorentz_berthelot,  ///< sigma = a_i + a_j, 24 epsilon = b_i b_j
    geometric,          ///< 6 c6 = a_i a_j, 12 c12 = b_i b_j
    table               ///< by pair of types
};

/// The parameters of all pairs of types in the cheapest form that gives every one of them to 1e-6.
struct LjCombination {
    LjSource source = LjSource::table;
    std::vector<double> a, b;                ///< of each type; empty with a table
    std::vector<double> six_c6, twelve_c12;  ///< of each pair of types [kJ/mol nm^6], [kJ/mol nm^12]
    std::vector<unsigned char> has_lj;       ///< of each type: whether it has parameters with any type in use
};

/// types: of all atoms; only types in use matter.
LjCombination find_lj_combination(const ForceField& force_field, std::span<const int> types);

/// has_lj of the type of each atom.
std::vector<unsigned char> atoms_with_lj(const LjCombination& lj, std::span<const int> types);

}  // namespace mdsim
