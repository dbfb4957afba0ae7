// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "forces/force_term.h"
#include "system/nonbonded.h"
#include "system/topology.h"

namespace mdsim {

/// Parts of the Coulomb energy that depend on no position. With a reciprocal part: coulomb_self = -beta/sqrt(pi) sum
/// q^2, and for charged cells the neutralising background coulomb_net_charge_background = -pi Q^2/(2 V beta^2)
/// (Darden, York, Pedersen, J. Chem. Phys. 98 (1993) 10089; Bogusz, Cheatham, Brooks, ibid. 108 (1998) 7070), whose
/// virial is its energy on each diagonal; with prolates -S(0)/2 sum q^2 and -pi r_c^2 Q^2/V times the second moment of
/// chi (docs/theory/esp.md). With reaction field: coulomb_self = -c_rf/2 sum q^2, a charge in its own
/// field (as GROMACS does). Null for other forms of Coulomb.
/// Of the whole system, so that of several ranks one has it.
std::unique_ptr<HostTerm> make_coulomb_constants(const Topology& topology, const NonbondedSettings& settings);

}  // namespace mdsim
