// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace mdsim::mesh {

/// The prolate spheroidal wave function psi of order zero on [-1, 1], scaled to psi(0) = 1: of all functions that are
/// zero outside of that interval the one with the least energy at frequencies above its bandwidth c (Slepian and
/// Pollak, Bell Syst. Tech. J. 40 (1961) 43). Even, positive, and almost zero at the ends:
/// psi(1) -> 2 sqrt(pi c) exp(-c) for large c (Fuchs, J. Math. Anal. Appl. 9 (1964) 317). Accurate to some 1e-15.
class Prolate {
  public:
    /// bandwidth: c > 0, up to some 40.
    explicit Prolate(double bandwidth);

    /// psi(x), psi'(x), and the integral of psi from 0 to x, for |x| <= 1.
    double value(double x) const { return at(x).value; }
    double slope(double x) const { return at(x).slope; }
    double integral(double x) const { return at(x).integral; }
    /// The integral of psi(s) cos(kappa s) over [-1, 1], for 0 <= kappa <= 60.
    double transform(double kappa) const;

  private:
    struct Point {
        double value, slope, integral;
    };
    std::vector<double> legendre_;  ///< psi = sum over j of legendre_[j] P_2j

    Point at(double x) const;
};

}  // namespace mdsim::mesh
