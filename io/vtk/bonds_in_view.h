// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "io/trajectory/frame.h"

namespace mdsim {

/// The bonds, as pairs of atoms, that a picture of this frame may draw as lines: without those that a wrapped molecule
/// has across the box.
std::vector<std::int64_t> bonds_in_view(const std::vector<std::int64_t>& bonds, const Frame& frame);

}  // namespace mdsim
