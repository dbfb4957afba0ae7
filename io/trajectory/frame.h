// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// One frame of a trajectory. Empty spans stand for what is not written.
struct Frame {
    std::int64_t step = 0;
    double time = 0.0;  ///< [ps]
    Box box;
    std::span<const Vec3d> x;  ///< [nm]
    std::span<const Vec3d> v;  ///< [nm/ps]
    std::span<const Vec3d> f;  ///< [kJ/mol/nm]
};

/// A frame as read from a file.
struct StoredFrame {
    std::int64_t step = 0;
    double time = 0.0;
    Mat3d box{};
    std::vector<Vec3d> x;
};

}  // namespace mdsim
