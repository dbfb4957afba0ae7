// SPDX-License-Identifier: Apache-2.0
#include "io/trajectory/cell.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/units.h"

namespace mdsim {

namespace {

// Right angles give exact zeros, so that a rectangular cell is seen as one.
double cosine(double degrees) {
    return degrees == 90.0 ? 0.0 : std::cos(degrees * units::pi / 180.0);
}

double angle(const Vec3d& a, const Vec3d& b) {
    const double product = dot(a, b);
    if (product == 0.0) return 90.0;
    return std::acos(std::clamp(product / (norm(a) * norm(b)), -1.0, 1.0)) * 180.0 / units::pi;
}

}  // namespace

Cell Cell::from_lengths_angles(const Vec3d& lengths, const Vec3d& degrees) {
    const double ca = cosine(degrees.x), cb = cosine(degrees.y), cg = cosine(degrees.z);
    const double sg = std::sqrt(1.0 - cg * cg);
    const double cy = (ca - cb * cg) / sg;
    const double cz2 = 1.0 - cb * cb - cy * cy;
    const bool possible = lengths.x > 0.0 && lengths.y > 0.0 && lengths.z > 0.0 && sg > 0.0 && cz2 > 0.0;
    if (!possible) return {};
    return Cell({Vec3d{lengths.x, 0, 0}, Vec3d{lengths.y * cg, lengths.y * sg, 0},
                 Vec3d{lengths.z * cb, lengths.z * cy, lengths.z * std::sqrt(cz2)}});
}

Vec3d Cell::lengths() const {
    return {norm(rows_[0]), norm(rows_[1]), norm(rows_[2])};
}

Vec3d Cell::angles() const {
    return {angle(rows_[1], rows_[2]), angle(rows_[0], rows_[2]), angle(rows_[0], rows_[1])};
}

Box Cell::box(const std::filesystem::path& file) const {
    if (!periodic()) return {};
    const Mat3d& r = rows_;
    const bool usual = r[0].y == 0 && r[0].z == 0 && r[1].z == 0 && r[0].x > 0 && r[1].y > 0 && r[2].z > 0;
    if (!usual) {
        throw_input_error({.code = "MD313",
                           .place = {file.string()},
                           .what = "the box vectors of a frame are not in the usual orientation",
                           .why = "images can be computed where the first lies along x and the second in the xy plane",
                           .remedy = "convert without --whole, --centre and --fit, or turn the system with its box"});
    }
    return Box::from_rows(r);
}

}  // namespace mdsim
