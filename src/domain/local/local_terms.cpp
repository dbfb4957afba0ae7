// SPDX-License-Identifier: Apache-2.0
#include "domain/local/local_terms.h"

#include "domain/local/local_topology.h"

namespace mdsim {

LocalTerms make_local_terms(const Topology& topology) {
    return LocalTopology(topology).build(all_atoms(topology));
}

AtomParameters make_atom_parameters(const Topology& topology) {
    return LocalTopology(topology).parameters(all_atoms(topology).ids);
}

}  // namespace mdsim
