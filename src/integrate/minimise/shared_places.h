// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "parallel/comm.h"
#include "system/box.h"

namespace mdsim {

/// Home atoms, ascending, whose lattice coordinates, which are what the pairs see, are those of another atom of any
/// rank. Those without mass, virtual sites that may lie on an atom by definition, are left out. Called by all ranks.
std::vector<std::size_t> atoms_at_shared_places(const Box& box, std::span<const Vec3d> x, std::span<const double> mass,
                                                const Comm& comm);

}  // namespace mdsim
