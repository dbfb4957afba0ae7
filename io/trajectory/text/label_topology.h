// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "system/structure.h"
#include "system/topology.h"

namespace mdsim {

/// What a structure file says of its atoms as a topology without terms, all in one molecule, so that names, residues
/// and their numbers stay as they are. Elements that the file does not give come from the names, masses from the
/// elements.
Topology topology_of_labels(const Structure& structure);

/// The element that an atom's name begins with, ions by the name that they share with their residue; 0 where there is
/// none.
int element_from_name(std::string_view atom, std::string_view residue);

}  // namespace mdsim
