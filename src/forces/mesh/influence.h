// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "forces/mesh/kernels.h"
#include "forces/mesh/transform/aligned.h"
#include "forces/mesh/transform/pencils.h"
#include "system/box.h"

namespace mdsim::mesh {

/// The signed number of mode m of n: the one nearest to zero, n/2 rather than -n/2.
constexpr int signed_mode(int m, int n) {
    return 2 * m <= n ? m : m - n;
}
/// 1 / U(m)^2 of all modes of an axis with n mesh points.
std::vector<double> unwindow(const Window& window, int n);
/// 2 pi H^-1 by rows, lower triangle: xx, yx, yy, zx, zy, zz [1/nm].
std::array<double, 6> reciprocal_matrix(const Box& box);
/// 4 pi ke / V, what G(k) below starts with.
double influence_scale(const Box& box, double coulomb_constant);

/// What a mode of the charge grid is multiplied by to become a mode of the potential:
/// G(k) = (ke / V) 4 pi gamma(k) / k^2 / U(k)^2, with U the transform of the window (once for spreading, once for
/// gathering) and gamma that of the split. U depends on the mode's number alone, not on the box, so that the virial
/// below is the exact strain derivative of the mesh energy. docs/theory/pme.md.
template <class Real>
class Influence {
  public:
    /// n: mesh points per axis; part: of the spectrum, which alone it is made for.
    Influence(std::array<int, 3> n, const SpectrumPart& part, double coulomb_constant, const Split& split,
              const Window& window);

    /// Makes the table for a box; cheap where the box is the same as before.
    void set_box(const Box& box);
    /// Multiplies rows of the spectrum [rows.count][pitch], and adds energy and virial to sums where it is given any:
    /// the same bits with and without.
    void apply(const SpectrumRows& rows, std::complex<Real>* spectrum, WaveSums* sums) const;

  private:
    std::array<int, 3> n_;
    SpectrumPart part_;
    double coulomb_constant_;  // [kJ nm/mol/e^2]
    Split split_;
    Box box_;
    std::array<double, 6> reciprocal_{};             // reciprocal_matrix [1/nm]
    std::array<AlignedVector<double>, 3> number_;    // signed number of each mode
    std::array<AlignedVector<double>, 3> unwindow_;  // 1 / U^2
    AlignedVector<Real> table_;                      // [kx][ky][pitch] of the part

    WavePlane plane(const SpectrumRows& rows) const;
    std::ptrdiff_t place(const SpectrumRows& rows) const;  // in the table
};

extern template class Influence<float>;
extern template class Influence<double>;

}  // namespace mdsim::mesh
