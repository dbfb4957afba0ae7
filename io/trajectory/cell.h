// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// The periodic cell of a frame as its file has it: three box vectors as rows [nm], or none (all zero). Unlike a Box it
/// is kept as it is, reduced or not and in any orientation, so that a conversion leaves it alone.
class Cell {
  public:
    Cell() = default;
    Cell(const Box& box) : rows_(box.rows()) {}  // NOLINT(google-explicit-constructor): every Box is a cell
    explicit Cell(const Mat3d& rows) : rows_(rows) {}
    /// Lengths [nm], angles alpha (b,c), beta (a,c), gamma (a,b) [degrees]; a along x, b in the xy plane. No cell where
    /// a length is zero or the angles enclose no volume.
    static Cell from_lengths_angles(const Vec3d& lengths, const Vec3d& degrees);

    const Mat3d& rows() const { return rows_; }
    /// Whether the rows enclose a volume; other rows are kept, and mean no box.
    bool periodic() const { return dot(rows_[0], cross(rows_[1], rows_[2])) != 0.0; }
    Vec3d lengths() const;  ///< [nm]
    Vec3d angles() const;   ///< [degrees]; right ones where there is no cell
    /// The same lattice as a Box, for images; vacuum where there is no cell. Throws Error (MD313), which names `file`,
    /// where the first vector does not lie along x or the second not in the xy plane.
    Box box(const std::filesystem::path& file) const;

    friend bool operator==(const Cell&, const Cell&) = default;

  private:
    Mat3d rows_{};
};

}  // namespace mdsim
