// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "forces/force_term.h"
#include "system/nonbonded.h"

namespace mdsim {

/// What excluded pairs need beside having no pair interaction. With a reciprocal part: -qq S(r), S the smooth
/// part of the split (erf(beta r)/r of Ewald's), because the mesh has them. With reaction field: the field of one
/// charge acts on its excluded neighbours as well, qq (k_rf r^2 - c_rf) within the cutoff (as GROMACS does). Counted as
/// coulomb_exclusion, with forces and virial. Nothing for other forms of Coulomb. Null where the system has nothing to
/// do; works on the local atoms that it is assigned.
std::unique_ptr<HostTerm> make_exclusion_term(const Topology& topology, const NonbondedSettings& settings);

}  // namespace mdsim
