// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/near_clusters.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "pairs/near_clusters.h"

#include <algorithm>
#include <bit>

HWY_BEFORE_NAMESPACE();
namespace mdsim::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#include "pairs/cluster_simd.inl"

using F = hn::ScalableTag<float>;
using I = hn::RebindToSigned<F>;

/// One vector of clusters from j on: bit mask of those near, and their shifts.
struct NearLanes {
    hn::Mask<F> near;
    hn::Vec<I> shift;
};

HWY_INLINE NearLanes test_lanes(const BoundsInVectors& b, std::uint32_t i, std::uint32_t j) {
    const F f;
    const I n;
    const auto zero = hn::Zero(f);
    auto gap2 = zero, largest_gap = zero;
    hn::Vec<F> d[3];
    auto shift = hn::Set(n, no_shift);
    auto other_way = hn::Set(f, 1e30f);  // least gap through the next nearest image along an axis
    for (std::size_t k = 0; k < 3; ++k) {
        const auto own = hn::Set(n, b.center[k][i]), other = hn::LoadU(n, &b.center[k][j]);
        d[k] = hn::ConvertTo(f, hn::Sub(own, other));
        const auto extents = hn::Add(hn::Set(f, b.half_extent[k][i]), hn::LoadU(f, &b.half_extent[k][j]));
        const auto distance = hn::Mul(hn::Abs(d[k]), hn::Set(f, b.nm_per_unit[k]));
        const auto gap = hn::Max(zero, hn::Sub(distance, extents));
        gap2 = hn::MulAdd(gap, gap, gap2);
        largest_gap = hn::Max(largest_gap, gap);
        shift = hn::Add(shift, hn::Mul(borrow(n, own, other), hn::Set(n, shift_step[k])));
        other_way = hn::Min(other_way, hn::Sub(hn::Sub(hn::Set(f, b.height[k]), distance), extents));
    }
    const auto radius = hn::Set(f, b.radius);
    auto near = hn::Le(b.rectangular ? gap2 : hn::Mul(largest_gap, largest_gap), hn::Mul(radius, radius));
    if (!b.rectangular && b.spheres_hold) {
        const auto limit = hn::Add(radius, hn::Add(hn::Set(f, b.sphere[i]), hn::LoadU(f, &b.sphere[j])));
        near = hn::And(near, hn::Le(squared_distance(f, b.metric, d[0], d[1], d[2]), hn::Mul(limit, limit)));
    }
    const auto ambiguous = hn::RebindMask(n, hn::Le(other_way, radius));
    return {near, hn::IfThenElse(ambiguous, hn::Set(n, ambiguous_shift), shift)};
}

std::size_t find_near(const BoundsInVectors& b, std::uint32_t i, std::uint32_t first, std::uint32_t last,
                      NearCluster* out) {
    const F f;
    const I n;
    constexpr auto lanes = static_cast<std::uint32_t>(hn::MaxLanes(F()));
    std::size_t count = 0;
    alignas(64) std::int32_t shifts[lanes];
    for (std::uint32_t j = first; j < last; j += lanes) {
        const NearLanes found = test_lanes(b, i, j);
        std::uint8_t bytes[8] = {};
        hn::StoreMaskBits(f, found.near, bytes);
        hn::Store(found.shift, n, shifts);
        std::uint32_t bits = static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8;
        if (last - j < lanes) bits &= (1u << (last - j)) - 1;
        for (; bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
            out[count++] = {j + lane, shifts[lane]};
        }
    }
    return count;
}

}  // namespace mdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(find_near);

std::size_t find_near(const BoundsInVectors& bounds, std::uint32_t i, std::uint32_t first, std::uint32_t last,
                      NearCluster* out) {
    return HWY_DYNAMIC_DISPATCH(find_near)(bounds, i, first, last, out);
}

BoundsInVectors::BoundsInVectors(const Clusters& clusters, const Box& cell, double list_radius)
    : metric(cell), radius(static_cast<float>(list_radius * 1.00001)), rectangular(cell.rectangular()) {
    constexpr double lattice_unit = 1.0 / 4294967296.0;
    const std::size_t padded = clusters.size() + near_padding;
    sphere.assign(padded, 0.0f);
    spheres_hold = true;
    const Vec3d heights = cell.heights();
    for (std::size_t k = 0; k < 3; ++k) {
        const double height = heights[static_cast<int>(k)];
        nm_per_unit[k] = static_cast<float>(height * lattice_unit);
        this->height[k] = static_cast<float>(height * (1.0 - 1e-6));
        center[k].assign(padded, 0);
        half_extent[k].assign(padded, 0.0f);
        std::uint32_t widest = 0;
        for (std::size_t c = 0; c < clusters.size(); ++c) {
            const ClusterBounds& bounds = clusters.bounds()[c];
            center[k][c] = static_cast<std::int32_t>(bounds.center[k]);
            half_extent[k][c] = static_cast<float>(bounds.half_extent[k] * lattice_unit * height * 1.000001);
            widest = std::max(widest, bounds.half_extent[k]);
            sphere[c] = bounds.radius;
        }
        spheres_hold = spheres_hold && 2.0 * widest * lattice_unit + list_radius / height < 0.499;
    }
}

}  // namespace mdsim
#endif
