// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

/// All terms that this rank computes as flat lists. Atom numbers are local: indices into the arrays of positions and
/// forces (on one rank the global atom number). LocalTopology makes them.
using LocalTerms = TermLists;

/// Those of a whole system on one rank: molecule by molecule, within one sorted by atoms.
LocalTerms make_local_terms(const Topology& topology);

/// Masses, charges and types of all atoms, in order.
AtomParameters make_atom_parameters(const Topology& topology);

}  // namespace mdsim
