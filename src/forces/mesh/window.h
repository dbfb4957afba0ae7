// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "core/units.h"
#include "forces/mesh/prolate/prolate_window.h"

/// Windows spread a charge over the mesh. A window W(u) of `order` nodes per axis is non-zero for |u| < order/2, u in
/// units of the mesh spacing; an atom with fraction t in [0, 1) above its first node gives node j the weight
/// W(t + order/2 - 1 - j). The mesh solver needs the weights and their derivatives by t (in particle_kernels.cpp, for
/// every instruction set) and the Fourier transform (here). Their integral is one.
namespace mdsim::mesh {

enum class WindowShape { bspline, prolate };

inline constexpr int smallest_order = 4;
inline constexpr int largest_order = 6;  ///< of B-splines

struct Window {
    WindowShape shape = WindowShape::bspline;
    int order = 4;          ///< nodes per axis: B-splines 4, 5 or 6, prolates 5 to 8
    WindowPieces pieces{};  ///< of prolates

    /// The Fourier transform of W at phase theta [radian per node]. B-spline: (sin(theta/2) / (theta/2))^order.
    double transform(double theta) const {
        if (shape == WindowShape::prolate) return transform_of_pieces(pieces, order, theta);
        const double half = 0.5 * theta;
        return half == 0.0 ? 1.0 : std::pow(std::sin(half) / half, order);
    }
};

}  // namespace mdsim::mesh
