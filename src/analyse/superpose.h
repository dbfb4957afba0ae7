// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "core/vec3.h"

namespace mdsim::analyse {

/// A motion of a rigid body: x -> rotation (x - from) + to.
struct RigidMotion {
    Mat3d rotation;  ///< rows
    Vec3d from, to;  ///< [nm]

    Vec3d operator()(const Vec3d& x) const {
        const Vec3d d = x - from;
        return Vec3d{dot(rotation[0], d), dot(rotation[1], d), dot(rotation[2], d)} + to;
    }
};

/// The motion that brings `x` nearest to `reference`, in the weighted sum of squared distances: Horn, J. Opt. Soc. Am.
/// A 4 (1987) 629, eqs. 25-27, the quaternion that belongs to the largest eigenvalue. Extents equal; weights above 0.
RigidMotion superpose(std::span<const Vec3d> x, std::span<const Vec3d> reference, std::span<const double> weights);

Vec3d weighted_mean(std::span<const Vec3d> x, std::span<const double> weights);

}  // namespace mdsim::analyse
