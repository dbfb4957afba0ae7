// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mdsim {

/// Amino acids and caps by the names of AMBER, CHARMM and GROMACS force fields: protonation and cystine variants,
/// AMBER's terminal forms (NALA, CALA) included.
bool is_protein_residue(std::string_view name);

/// Names that water models and structure files give to water.
bool is_water_residue(std::string_view name);

}  // namespace mdsim
