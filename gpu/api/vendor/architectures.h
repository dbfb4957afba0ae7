// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace mdsim::gpu {

/// Whether a program has kernels for a device of this architecture ("sm_103", "gfx90a:sramecc+:xnack-").
/// built: what it was compiled for, with commas, as CMake writes it: "80-real,90-real,120" or "gfx90a,gfx1030".
bool has_kernels_for(std::string_view architecture, std::string_view built);

}  // namespace mdsim::gpu
