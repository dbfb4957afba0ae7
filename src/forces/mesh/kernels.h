// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <type_traits>

#include "core/fixed_point.h"
#include "forces/mesh/split.h"
#include "forces/mesh/window.h"

/// The vectorised loops of the mesh solver, compiled for several instruction sets of which the best that the machine
/// has is taken when the program runs.
namespace mdsim::mesh {

/// Charge on the mesh: integers in units of 2^-24 e (float) or 2^-44 e (double), each addend rounded once.
template <class Real>
using GridInteger = std::conditional_t<std::is_same_v<Real, float>, std::int32_t, std::int64_t>;
template <class Real>
inline constexpr int charge_bits = std::is_same_v<Real, float> ? 24 : 44;

/// Atoms in one kernel call: the arrays are as long as a whole number of these.
inline constexpr int atom_batch = 16;
/// Elements that a kernel reads or writes per mesh row: a window of this order, padded.
constexpr int row_width(int order) {
    return order <= 4 ? 4 : 8;
}

/// `count` atoms with nearby first nodes (x, y, z), the position above it as fractions in [0, 1) and charges [e].
template <class Real>
struct MeshAtoms {
    int count = 0;
    const std::int32_t *x = nullptr, *y = nullptr, *z = nullptr;
    const Real *tx = nullptr, *ty = nullptr, *tz = nullptr;
    const Real* q = nullptr;
};

/// Where mesh rows are: planes[x - first_plane] is plane x, rows[y] the offset of row y in it; both continue past the
/// end of the period by order - 1 entries, and so do rows along z by row_width - 1 elements.
template <class Element>
struct MeshRows {
    Element* const* planes = nullptr;
    int first_plane = 0;
    const std::int32_t* rows = nullptr;
};

/// Adds the atoms' charges to the mesh.
template <class Real>
void spread(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<GridInteger<Real>>& mesh);

/// The gradient of the potential at the atoms, per mesh spacing: arrays of atoms.count rounded up to atom_batch.
template <class Real>
void gather(const Window& window, const MeshAtoms<Real>& atoms, const MeshRows<const Real>& mesh,
            std::array<Real*, 3> gradient);

/// Rows of one plane of constant kx of wave vectors k = 2 pi H^-1 m, and what is the same for all of them. There are
/// n[1] rows of `pitch` elements (a multiple of eight), of which n[2] count.
struct WavePlane {
    std::array<int, 3> n{};
    int pitch = 0;
    double mx = 0.0;                            ///< of this plane, signed
    std::array<double, 6> reciprocal{};         ///< 2 pi H^-1 by rows, lower triangle: xx, yx, yy, zx, zy, zz [1/nm]
    const double *my = nullptr, *mz = nullptr;  ///< signed index; extents n[1], pitch
};

/// influence[ky][kz] = scale * wx * wy[ky] * wz[kz] * gamma(k) / k^2, and zero at k = 0 and beyond n[2].
/// wz: extent pitch, zero beyond n[2].
template <class Real>
void fill_influence(const WavePlane& plane, const Split& split, double scale, const double* wy, const double* wz,
                    Real* influence);

/// Multiplies a plane of the spectrum by the influence function.
template <class Real>
void multiply(const WavePlane& plane, const Real* influence, std::complex<Real>* spectrum);

/// Sums over wave vectors [kJ/mol]: the energy, and the virial xx, yx, yy, zx, zy, zz.
struct WaveSums {
    std::array<fixed::EnergySum, 7> sums{};
};

/// The same as multiply, to the bit, and adds the energies: of each wave vector influence |spectrum|^2 energy_scale.
template <class Real>
void multiply_with_energy(const WavePlane& plane, const Split& split, double energy_scale, const Real* influence,
                          std::complex<Real>* spectrum, WaveSums& sums);

}  // namespace mdsim::mesh
