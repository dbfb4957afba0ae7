// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// The fractional coordinate modulo the box, in units of 2^-32 of each box vector. A difference of two is an exact
/// integer subtraction modulo 2^32 whose wrap-around, read as a signed number, is the minimum image.
struct LatticePoint {
    std::uint32_t x = 0, y = 0, z = 0;
    friend bool operator==(const LatticePoint&, const LatticePoint&) = default;
};

/// The cell in which lattice coordinates are fractions: the box itself, or in vacuum a cube that holds the atoms.
class Lattice {
  public:
    /// Of a periodic box: the box. In vacuum: a cube of 2^k nm, at least four times the extent of x, centred on it.
    Lattice(const Box& box, std::span<const Vec3d> x);

    /// The same for all images of x. Rounds x / box to the nearest 2^-32.
    LatticePoint point(const Vec3d& x) const;
    /// The cell as a box (periodic, also in vacuum).
    const Box& cell() const { return cell_; }
    /// In vacuum: false where an atom has left the middle half, so that the lattice must be made anew.
    bool holds(std::span<const Vec3d> x) const;
    void points(std::span<const Vec3d> x, std::span<LatticePoint> out) const;

  private:
    Box cell_;
    Vec3d origin_{};
    bool vacuum_ = false;
};

}  // namespace mdsim
