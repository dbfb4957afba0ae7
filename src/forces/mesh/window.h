// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/units.h"

/// Windows spread a charge over the mesh. A window W(u) of `order` nodes per axis is non-zero for |u| < order/2, u in
/// units of the mesh spacing; an atom with fraction t in [0, 1) above its first node gives node j the weight
/// W(t + order/2 - 1 - j). The mesh solver needs the weights and their derivatives by t (in particle_kernels.cpp, for
/// every instruction set) and the Fourier transform (here).
namespace mdsim::mesh {

enum class WindowShape { bspline };

inline constexpr int smallest_order = 4;
inline constexpr int largest_order = 6;

struct Window {
    WindowShape shape = WindowShape::bspline;
    int order = 4;  ///< nodes per axis: 4, 5 or 6

    /// The Fourier transform of W at phase theta [radian per node]. B-spline: (sin(theta/2) / (theta/2))^order.
    double transform(double theta) const {
        const double half = 0.5 * theta;
        return half == 0.0 ? 1.0 : std::pow(std::sin(half) / half, order);
    }
};

}  // namespace mdsim::mesh
