// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <variant>

/// A split writes 1/r as a short-ranged part, summed over pairs, and a smooth part S(r), summed over wave vectors:
/// S^(k) = 4 pi gamma(k) / k^2. The mesh solver needs gamma and, for the virial, the strain derivative of S^: a wave
/// vector of energy E has the virial E (delta_ab - k_a k_b g) with g = (2 - k gamma'(k) / gamma(k)) / k^2.
namespace mdsim::mesh {

/// S(r) = erf(beta r) / r (Ewald). gamma(k) = exp(-k^2 / (4 beta^2)).
struct GaussianSplit {
    double beta = 0.0;  ///< [1/nm]

    /// gamma is exp of this times k^2 [nm^2].
    double exponent_scale() const { return -0.25 / (beta * beta); }
};

inline constexpr int prolate_terms = 24;

/// S(r) = Phi(r/r_c)/r of ShiftedProlate. gamma(k) = gamma[0] + gamma[1] y + ..., y = 2 k^2 / largest_k2 - 1, to some
/// 1e-14; zero beyond largest_k2.
struct ProlateSplit {
    double largest_k2 = 0.0;  ///< [nm^-2]
    std::array<double, prolate_terms> gamma{};
};

/// What the mesh solver takes. Another split is another alternative here, a few vectorised lines in wave_kernels.cpp,
/// and for devices a class in gpu/kernels/mesh/wave_multiplication.cu.
using Split = std::variant<GaussianSplit, ProlateSplit>;

}  // namespace mdsim::mesh
