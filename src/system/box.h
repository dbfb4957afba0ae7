// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/vec3.h"

namespace mdsim {

/// The periodic cell: three box vectors a, b, c as rows of a lower triangular matrix [nm]
/// (a along x, b in the xy plane), or no box at all (vacuum).
class Box {
  public:
    /// Vacuum.
    Box() = default;
    static Box rectangular(double x, double y, double z);
    /// Rows must be lower triangular with positive diagonal; see `from_lengths_angles` for other descriptions.
    /// Off-diagonals are reduced so that |b.x|, |c.x| <= a.x/2 and |c.y| <= b.y/2 (the same lattice).
    static Box from_rows(const Mat3d& rows);
    /// Lengths [nm], angles alpha (b,c), beta (a,c), gamma (a,b) [degrees].
    static Box from_lengths_angles(const Vec3d& lengths, const Vec3d& degrees);

    bool periodic() const { return periodic_; }
    bool rectangular() const { return rows_[1].x == 0.0 && rows_[2].x == 0.0 && rows_[2].y == 0.0; }
    const Mat3d& rows() const { return rows_; }
    double volume() const { return rows_[0].x * rows_[1].y * rows_[2].z; }
    /// Distances between opposite faces [nm].
    Vec3d heights() const;
    double smallest_height() const;

    /// Position in units of the box vectors, not wrapped.
    Vec3d to_fractional(const Vec3d& x) const {
        const double sz = x.z * inverse_[2].z;
        const double sy = (x.y - sz * rows_[2].y) * inverse_[1].y;
        const double sx = (x.x - sz * rows_[2].x - sy * rows_[1].x) * inverse_[0].x;
        return {sx, sy, sz};
    }
    Vec3d to_cartesian(const Vec3d& s) const {
        return {s.x * rows_[0].x + s.y * rows_[1].x + s.z * rows_[2].x, s.y * rows_[1].y + s.z * rows_[2].y,
                s.z * rows_[2].z};
    }
    /// The shortest image of a difference, exact for |d| below half the smallest height and any input image.
    /// Returns d itself in vacuum.
    Vec3d minimum_image(Vec3d d) const;

    /// Every box vector transformed by the lower triangular matrix m (rows): row_i -> row_i * m.
    Box transformed(const Mat3d& m) const;

    friend bool operator==(const Box& a, const Box& b) { return a.periodic_ == b.periodic_ && a.rows_ == b.rows_; }

  private:
    bool periodic_ = false;
    Mat3d rows_{};
    Mat3d inverse_{};  // reciprocals of the diagonal only

    explicit Box(const Mat3d& rows);
};

/// A bound of how much the map from the cell `before` to the cell `now` shortens a vector, as a share of its length:
/// the norm of the difference of the map from unity.
double strain(const Box& before, const Box& now);

}  // namespace mdsim
