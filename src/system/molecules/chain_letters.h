// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "system/topology.h"

namespace mdsim {

/// Polymers, molecules of several residues, whose file has no names of chains get letters in turn: the first one A.
/// polymer: how many polymers stand before the molecule. Empty for molecules of one residue.
inline std::string chain_letter(const MoleculeType& type, std::int64_t polymer) {
    return type.residues.size() < 2 ? std::string() : std::string(1, static_cast<char>('A' + polymer % 26));
}

}  // namespace mdsim
