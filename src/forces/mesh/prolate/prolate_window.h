// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace mdsim::mesh {

inline constexpr int smallest_prolate_order = 5;
inline constexpr int largest_prolate_order = 8;
/// Terms of the polynomial of each node.
inline constexpr int window_terms = 10;

/// A window by pieces: an atom with fraction t in [0, 1) above its first node gives node j the weight
/// c[j][0] + c[j][1] z + ..., z = 2 t - 1.
using WindowPieces = std::array<std::array<double, window_terms>, largest_prolate_order>;

/// The prolate spheroidal wave function of the bandwidth, psi(2 u / order) at u nodes from its middle, scaled to an
/// integral of one. The pieces differ from it by 1e-8 of its largest value at most.
WindowPieces prolate_pieces(int order, double bandwidth);
/// The Fourier transform of the pieces at phase theta [radian per node], |theta| <= pi.
double transform_of_pieces(const WindowPieces& pieces, int order, double theta);

}  // namespace mdsim::mesh
