// SPDX-License-Identifier: Apache-2.0
#include "system/lattice.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/fixed_point.h"

namespace mdsim {

VacuumCell VacuumCell::around(std::span<const Vec3d> x) {
    if (x.empty()) return {};
    Vec3d low = x.front(), high = x.front();
    for (const Vec3d& r : x) {
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], r[a]);
            high[a] = std::max(high[a], r[a]);
        }
    }
    const Vec3d size = high - low;
    const double extent = std::max({size.x, size.y, size.z, 1.0});
    VacuumCell cell;
    cell.edge = std::exp2(std::ceil(std::log2(4.0 * extent)));
    for (int a = 0; a < 3; ++a) cell.centre[a] = std::round(0.5 * (low[a] + high[a]));
    return cell;
}

int VacuumCell::doublings(std::span<const Vec3d> x) const {
    double farthest = 0.0;
    for (const Vec3d& r : x) {
        for (int a = 0; a < 3; ++a) farthest = std::max(farthest, std::abs(r[a] - centre[a]));
    }
    // Beyond 2^40 nm the simulation has come apart, which is for others to say.
    int doublings = 0;
    for (double half = 0.25 * edge; farthest > half && doublings < 40; half *= 2.0) ++doublings;
    return doublings;
}

Lattice::Lattice(const Box& box, const VacuumCell& vacuum, int doublings) : cell_(box) {
    if (box.periodic()) return;
    const double edge = std::ldexp(vacuum.edge, doublings), half = 0.5 * edge;
    cell_ = Box::rectangular(edge, edge, edge);
    origin_ = vacuum.centre - Vec3d{half, half, half};
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

void Lattice::points(std::span<const Vec3d> x, std::span<LatticePoint> out) const {
    MDSIM_EXPECT(x.size() == out.size());
    const auto n = static_cast<std::ptrdiff_t>(x.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i) out[static_cast<std::size_t>(i)] = point(x[static_cast<std::size_t>(i)]);
}

}  // namespace mdsim
