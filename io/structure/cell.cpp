// SPDX-License-Identifier: Apache-2.0
#include "io/structure/cell.h"

#include <cmath>

#include <fmt/format.h>

#include "core/units.h"

namespace mdsim {

namespace {

// The square of the volume over that of a rectangular box of the same lengths.
double volume_factor2(const Vec3d& degrees) {
    const double ca = std::cos(degrees.x * units::pi / 180.0);
    const double cb = std::cos(degrees.y * units::pi / 180.0);
    const double cc = std::cos(degrees.z * units::pi / 180.0);
    return 1.0 - ca * ca - cb * cb - cc * cc + 2.0 * ca * cb * cc;
}

}  // namespace

Box cell_from_angstrom(const Vec3d& lengths, const Vec3d& degrees, const Place& place) {
    if (lengths == Vec3d{} || lengths == Vec3d{1.0, 1.0, 1.0}) return {};
    bool possible = volume_factor2(degrees) > 1e-6;
    for (int axis = 0; axis < 3; ++axis) {
        possible = possible && lengths[axis] > 0.0 && degrees[axis] > 0.0 && degrees[axis] < 180.0;
    }
    if (!possible) {
        throw_input_error({.code = "MD302",
                           .place = place,
                           .what = fmt::format("no box has the lengths {} {} {} A and the angles {} {} {} degrees",
                                               lengths.x, lengths.y, lengths.z, degrees.x, degrees.y, degrees.z),
                           .why = {},
                           .remedy = {}});
    }
    return Box::from_lengths_angles(lengths * 0.1, degrees);
}

}  // namespace mdsim
