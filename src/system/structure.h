// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// Name of one atom as a coordinate file gives it, for the comparison with the topology.
struct AtomLabel {
    std::string atom;
    std::string residue;
    int residue_number = 0;
    std::string chain;
    int element = 0;       ///< atomic number, 0 where the file has none
    char insertion = ' ';  ///< of the residue's number
};

/// What a coordinate file holds, in file order; of several frames (models) the first.
struct Structure {
    std::string title;
    std::vector<Vec3d> x;           ///< [nm], extent: atoms
    std::vector<Vec3d> v;           ///< [nm/ps], extent: atoms, or empty
    std::vector<AtomLabel> labels;  ///< extent: atoms, or empty where the format has no names (inpcrd)
    Box box;                        ///< vacuum where the file has none
    double time = 0.0;              ///< [ps], 0 where the file has none
    std::int64_t frames = 1;        ///< of .pdb and .cif: models; .gro: count_gro_frames
};

}  // namespace mdsim
