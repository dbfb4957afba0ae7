// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.h"
#include "io/trajectory/cell.h"

namespace mdsim {

struct EnergyRow;

/// How many box vectors of each kind have to be added to a position to have the atom where it came without wrapping.
using Image = Vec3<std::int32_t>;

/// One frame of a trajectory on its way into a file. Empty spans stand for what is not written.
struct Frame {
    std::int64_t step = 0;
    double time = 0.0;  ///< [ps]
    Cell box{};
    std::span<const Vec3d> x;  ///< [nm]
    std::span<const Vec3d> v;  ///< [nm/ps]
    std::span<const Vec3d> f;  ///< [kJ/mol/nm]
    std::span<const Image> images{};
    const EnergyRow* energies = nullptr;  ///< of this step, for formats that keep them
};

/// A frame as read from a file. Empty vectors stand for what the file does not have.
struct StoredFrame {
    std::int64_t step = 0;
    double time = 0.0;  ///< [ps]
    Cell box{};
    std::vector<Vec3d> x;  ///< [nm]
    std::vector<Vec3d> v;  ///< [nm/ps]
    std::vector<Vec3d> f;  ///< [kJ/mol/nm]
    std::vector<Image> images;

    /// The same for a writer, valid as long as this is not changed.
    Frame view() const { return {step, time, box, x, v, f, images, nullptr}; }
};

}  // namespace mdsim
