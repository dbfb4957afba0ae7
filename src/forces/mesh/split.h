// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

/// A split writes 1/r as a short-ranged part, summed over pairs, and a smooth part S(r), summed over wave vectors:
/// S^(k) = 4 pi gamma(k) / k^2. The mesh solver needs gamma and the strain derivative of S^.
namespace mdsim::mesh {

/// S(r) = erf(beta r) / r (Ewald). gamma(k) = exp(-k^2 / (4 beta^2)).
struct GaussianSplit {
    double beta = 0.0;  ///< [1/nm]

    double gamma(double k2) const { return std::exp(exponent_scale() * k2); }
    /// gamma is exp of this times k^2 [nm^2].
    double exponent_scale() const { return -0.25 / (beta * beta); }
    /// The virial of a wave vector of energy E is E (delta_ab - k_a k_b g), g = (2 - k gamma'(k) / gamma(k)) / k^2.
    double strain_factor(double k2) const { return 2.0 / k2 + 0.5 / (beta * beta); }
};

}  // namespace mdsim::mesh
