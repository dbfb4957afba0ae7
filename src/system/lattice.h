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

/// The cube of 2^k nm that lattice coordinates are fractions of where there is no box.
struct VacuumCell {
    Vec3d centre{};     ///< whole nm
    double edge = 4.0;  ///< [nm]

    /// At least four times the extent of x, round its middle.
    static VacuumCell around(std::span<const Vec3d> x);
    /// How often the edge must be doubled, 0 or more, until all of x lie in the middle half.
    int doublings(std::span<const Vec3d> x) const;
};

/// The cell in which lattice coordinates are fractions: the box itself, or in vacuum a cube that holds the atoms.
class Lattice {
  public:
    /// Of a periodic box: the box. In vacuum: the cube, its edge doubled so many times.
    Lattice(const Box& box, const VacuumCell& vacuum, int doublings);
    /// The same with a cube around x.
    Lattice(const Box& box, std::span<const Vec3d> x) : Lattice(box, VacuumCell::around(x), 0) {}

    /// The same for all images of x. Rounds x / box to the nearest 2^-32.
    LatticePoint point(const Vec3d& x) const;
    /// The cell as a box (periodic, also in vacuum).
    const Box& cell() const { return cell_; }
    void points(std::span<const Vec3d> x, std::span<LatticePoint> out) const;

  private:
    Box cell_;
    Vec3d origin_{};
};

}  // namespace mdsim
