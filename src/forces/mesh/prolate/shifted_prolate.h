// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forces/mesh/prolate/prolate.h"
#include "forces/mesh/split.h"
#include "physics/pair_tails.h"

namespace mdsim::mesh {

/// The split of Ewald summation with prolates (ESP; Liang, Lu, Barnett, Greengard and Jiang, arXiv:2505.09727, 2025).
/// With x = r / cutoff, chi(x) = (psi(x) - psi(1)) / (C0 - psi(1)) and Phi(x) the integral of chi from 0 to x, Phi(1) =
/// 1, the smooth part of 1/r is S(r) = Phi(x)/r: exactly 1/r from the cutoff on. That psi is shifted makes pair forces
/// end at the cutoff without a step. docs/theory/esp.md derives all that is here.
class ShiftedProlate {
  public:
    /// bandwidth: c of psi; the transform of chi is about exp(-c) from k = c/cutoff on.
    explicit ShiftedProlate(double bandwidth);

    double chi(double x) const;
    double phi(double x) const;
    /// S(r) cutoff and D(r) cutoff^3 = -S'(r)/r cutoff^3, 0 <= x <= 1.
    double energy(double x) const;
    double force_over_r(double x) const;
    /// The integral of chi(x) cos(kappa x) from 0 to 1, kappa = k cutoff: S^(k) = 4 pi gamma / k^2.
    double gamma(double kappa) const;
    /// The integral of x^2 chi(x) from 0 to 1.
    double second_moment() const;

  private:
    Prolate psi_;
    double shift_, norm_;
};

/// What the kernels of pairs and of excluded pairs take [nm].
physics::CoulombTail<double> prolate_tail(double bandwidth, double cutoff);
/// What the mesh takes.
ProlateSplit prolate_split(double bandwidth, double cutoff);

}  // namespace mdsim::mesh
