// SPDX-License-Identifier: Apache-2.0
#include "system/box.h"

#include <algorithm>

#include "core/error.h"
#include "core/units.h"

namespace mdsim {

Box::Box(const Mat3d& rows) : periodic_(true), rows_(rows) {
    inverse_[0].x = 1.0 / rows[0].x;
    inverse_[1].y = 1.0 / rows[1].y;
    inverse_[2].z = 1.0 / rows[2].z;
}

Box Box::rectangular(double x, double y, double z) {
    return from_rows({Vec3d{x, 0, 0}, Vec3d{0, y, 0}, Vec3d{0, 0, z}});
}

namespace {
// Moves an off-diagonal into half a diagonal by whole box vectors. A tie (exactly half, as in the rhombic
// dodecahedron, up to the digits of the file) is left as it is.
void reduce(Vec3d& row, const Vec3d& by, int axis) {
    const double ratio = row[axis] / by[axis];
    if (std::abs(ratio) > 0.5 + 1e-6) row -= std::round(ratio) * by;
}
}  // namespace

Box Box::from_rows(const Mat3d& rows) {
    MDSIM_EXPECT(rows[0].x > 0 && rows[1].y > 0 && rows[2].z > 0);
    MDSIM_EXPECT(rows[0].y == 0 && rows[0].z == 0 && rows[1].z == 0);
    Mat3d r = rows;
    reduce(r[2], r[1], 1);
    reduce(r[2], r[0], 0);
    reduce(r[1], r[0], 0);
    return Box(r);
}

Box Box::from_lengths_angles(const Vec3d& lengths, const Vec3d& degrees) {
    // 90 degrees must give exact zeros, so that a rectangular box is recognised as one.
    const auto cosine = [](double angle) { return angle == 90.0 ? 0.0 : std::cos(angle * units::pi / 180.0); };
    const double ca = cosine(degrees.x), cb = cosine(degrees.y), cg = cosine(degrees.z);
    const double sg = std::sqrt(1.0 - cg * cg);
    const double cy = (ca - cb * cg) / sg;
    const double cz2 = 1.0 - cb * cb - cy * cy;
    MDSIM_EXPECT(cz2 > 0.0);
    return from_rows({Vec3d{lengths.x, 0, 0}, Vec3d{lengths.y * cg, lengths.y * sg, 0},
                      Vec3d{lengths.z * cb, lengths.z * cy, lengths.z * std::sqrt(cz2)}});
}

Vec3d Box::heights() const {
    const double v = volume();
    return {v / norm(cross(rows_[1], rows_[2])), v / norm(cross(rows_[2], rows_[0])),
            v / norm(cross(rows_[0], rows_[1]))};
}

double Box::smallest_height() const {
    const Vec3d h = heights();
    return std::min({h.x, h.y, h.z});
}

Vec3d Box::minimum_image(Vec3d d) const {
    if (!periodic_) return d;
    d -= std::round(d.z * inverse_[2].z) * rows_[2];
    d -= std::round(d.y * inverse_[1].y) * rows_[1];
    d -= std::round(d.x * inverse_[0].x) * rows_[0];
    return d;
}

Box Box::transformed(const Mat3d& m) const {
    Mat3d r;
    for (int i = 0; i < 3; ++i) {
        const Vec3d& row = rows_[static_cast<std::size_t>(i)];
        r[static_cast<std::size_t>(i)] = row.x * m[0] + row.y * m[1] + row.z * m[2];
    }
    return Box(r);
}

double strain(const Box& before, const Box& now) {
    double sum = 0.0;
    for (int row = 0; row < 3; ++row) {
        // Unit vector e_row in fractions of the old box, mapped to the new one.
        Vec3d unit{};
        unit[row] = 1.0;
        sum += norm2(now.to_cartesian(before.to_fractional(unit)) - unit);
    }
    return std::sqrt(sum);
}

}  // namespace mdsim
