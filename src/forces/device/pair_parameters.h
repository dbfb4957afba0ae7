// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "forces/short_range/lj_combination.h"
#include "gpu/kernels/pair_forces.h"
#include "pairs/clusters.h"

namespace mdsim {

/// Parameters of atoms in the order of clusters. Extent of types and scaled_charges [(kJ nm/mol)^(1/2)]: atoms.
std::vector<kernels::ClusterParameters> cluster_parameters(const Clusters& clusters, const LjCombination& lj,
                                                           std::span<const int> types,
                                                           std::span<const double> scaled_charges);

/// The table of pairs of types: one row more than there are types, for what has no parameters.
std::vector<kernels::PairTypes> pair_type_table(const LjCombination& lj);

/// Sets the formulas and their constants.
void set_pair_form(const NonbondedSettings& settings, kernels::PairForcesArgs& args);

}  // namespace mdsim
