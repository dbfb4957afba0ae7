// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace mdsim {

/// Rigid water of one kind, for SETTLE (Miyamoto & Kollman, J. Comput. Chem. 13 (1992) 952, figure 2).
struct SettleGeometry {
    double oh = 0.0, hh = 0.0;            ///< distances [nm]
    double mass_o = 0.0, mass_h = 0.0;    ///< [u]
    double ra = 0.0, rb = 0.0, rc = 0.0;  ///< oxygen and hydrogens from the centre of mass, half of H-H [nm]

    SettleGeometry() = default;
    SettleGeometry(double oh, double hh, double mass_o, double mass_h);
    friend bool operator==(const SettleGeometry&, const SettleGeometry&) = default;
};

/// Waters side by side: component 3 * atom + axis, atom 0 the oxygen. Every lane is computed by itself with
/// unfused IEEE operations, so that a water's result depends neither on its neighbours nor on the vector length.
struct SettleBatch {
    static constexpr std::size_t size = 64;
    using Lanes = double[9][size];
    alignas(64) Lanes reference;  ///< positions that satisfy the constraints [nm]
    alignas(64) Lanes value;      ///< in: positions [nm] or velocities [nm/ps]; out: constrained
};

/// Moves `value` onto the constraints along the bonds of `reference`. Lanes beyond `count` up to the next multiple of
/// 8 must hold numbers. A water that cannot be reset gives not-a-number.
void settle_positions(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count);

/// Takes the components along the bonds of `reference` off the velocities in `value`.
void settle_velocities(const SettleGeometry& geometry, SettleBatch& batch, std::size_t count);

}  // namespace mdsim
