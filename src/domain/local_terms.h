// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

/// All terms of the atoms of this rank as flat lists. Atom numbers are local: indices into the arrays of positions and
/// forces (on one rank the global atom number). Order: molecule by molecule as in the topology.
using LocalTerms = TermLists;

/// Unrolls the terms of every molecule.
LocalTerms make_local_terms(const Topology& topology);

/// Masses, charges and types of all atoms, in order.
AtomParameters make_atom_parameters(const Topology& topology);

}  // namespace mdsim
