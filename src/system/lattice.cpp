// SPDX-License-Identifier: Apache-2.0
#include "system/lattice.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/fixed_point.h"

namespace mdsim {

Lattice::Lattice(const Box& box, std::span<const Vec3d> x) : cell_(box), vacuum_(!box.periodic()) {
    if (!vacuum_) return;
    Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3d& r : x) {
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], r[a]);
            high[a] = std::max(high[a], r[a]);
        }
    }
    const Vec3d size = x.empty() ? Vec3d{1, 1, 1} : high - low;
    const double extent = std::max({size.x, size.y, size.z, 1.0});
    const double edge = std::exp2(std::ceil(std::log2(4.0 * extent)));
    cell_ = Box::rectangular(edge, edge, edge);
    // The middle is rounded to whole nm, so that a lattice made anew moves by whole lattice units.
    const auto corner = [&](double lo, double hi) { return std::round(0.5 * (lo + hi)) - 0.5 * edge; };
    if (!x.empty()) origin_ = {corner(low.x, high.x), corner(low.y, high.y), corner(low.z, high.z)};
}

LatticePoint Lattice::point(const Vec3d& x) const {
    const Vec3d s = cell_.to_fractional(x - origin_);
    const auto wrap = [](double fraction) {
        // |fraction| < 2^18 keeps the product below 2^51; farther away whole boxes are taken off first.
        if (!(std::abs(fraction) < 262144.0)) fraction -= std::floor(fraction);
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(fixed::round_to_int64(fraction * 4294967296.0)));
    };
    return {wrap(s.x), wrap(s.y), wrap(s.z)};
}

bool Lattice::holds(std::span<const Vec3d> x) const {
    if (!vacuum_) return true;
    const double edge = cell_.rows()[0].x;
    return std::all_of(x.begin(), x.end(), [&](const Vec3d& r) {
        for (int a = 0; a < 3; ++a) {
            const double s = (r[a] - origin_[a]) / edge;
            if (!(s >= 0.25 && s <= 0.75)) return false;
        }
        return true;
    });
}

void Lattice::points(std::span<const Vec3d> x, std::span<LatticePoint> out) const {
    MDSIM_EXPECT(x.size() == out.size());
    const auto n = static_cast<std::ptrdiff_t>(x.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = point(x[static_cast<std::size_t>(i)]);
}

}  // namespace mdsim
