// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mdsim::physics {

/// The surface of a correction map at a grid point: value and derivatives, all in kJ/mol, per step of the grid.
struct CmapNode {
    double value = 0.0;
    double along_first = 0.0, along_second = 0.0;
    double mixed = 0.0;  ///< second derivative, once along each
};

/// Energy [kJ/mol] and its slopes [kJ/mol per step of the grid].
struct CmapResult {
    double energy, along_first, along_second;
};

/// Values and slopes at t in [0, 1] of the four cubics that join nodes: value and slope of the near and of the far end
/// (Hermite).
struct Hermite {
    double near_value, near_slope, far_value, far_slope;
};
inline Hermite hermite(double t) {
    const double s = 1.0 - t;
    return {(1.0 + 2.0 * t) * s * s, t * s * s, t * t * (3.0 - 2.0 * t), -(t * t * s)};
}
inline Hermite hermite_derivative(double t) {
    const double s = 1.0 - t;
    return {-6.0 * t * s, s * (1.0 - 3.0 * t), 6.0 * t * s, t * (3.0 * t - 2.0)};
}

/// The bicubic surface in a cell at (t, u) in [0, 1]^2, from its corners: node_ab is a steps further along the first
/// axis, b along the second. The same polynomial as the 16 coefficients of MacKerell, Feig and Brooks, J. Comput. Chem.
/// 25 (2004) 1400, appendix.
inline CmapResult bicubic(const CmapNode& node_00, const CmapNode& node_10, const CmapNode& node_01,
                          const CmapNode& node_11, double t, double u) {
    const auto along_second = [](const Hermite& h, const CmapNode& near, const CmapNode& far) {
        return h.near_value * near.value + h.near_slope * near.along_second + h.far_value * far.value +
               h.far_slope * far.along_second;
    };
    const auto slope_along_second = [](const Hermite& h, const CmapNode& near, const CmapNode& far) {
        return h.near_value * near.along_first + h.near_slope * near.mixed + h.far_value * far.along_first +
               h.far_slope * far.mixed;
    };
    const auto along_first = [](const Hermite& h, double near, double near_slope, double far, double far_slope) {
        return h.near_value * near + h.near_slope * near_slope + h.far_value * far + h.far_slope * far_slope;
    };
    const Hermite p = hermite(t), q = hermite(u), dp = hermite_derivative(t), dq = hermite_derivative(u);
    const double near = along_second(q, node_00, node_01), far = along_second(q, node_10, node_11);
    const double near_slope = slope_along_second(q, node_00, node_01),
                 far_slope = slope_along_second(q, node_10, node_11);
    return {along_first(p, near, near_slope, far, far_slope), along_first(dp, near, near_slope, far, far_slope),
            along_first(p, along_second(dq, node_00, node_01), slope_along_second(dq, node_00, node_01),
                        along_second(dq, node_10, node_11), slope_along_second(dq, node_10, node_11))};
}

}  // namespace mdsim::physics
