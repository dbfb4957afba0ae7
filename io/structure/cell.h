// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/error.h"
#include "system/box.h"

namespace mdsim {

/// A box from lengths [Angstrom] and angles [degrees] as a file gives them; vacuum where the lengths are all zero, or
/// all one as PDB has it for "no cell". Throws Error (MD302) where they make no box.
Box cell_from_angstrom(const Vec3d& lengths, const Vec3d& degrees, const Place& place);

}  // namespace mdsim
