// SPDX-License-Identifier: Apache-2.0
// Clusters in vectors, for kernels: a fragment, included inside the namespace of each instruction set after
// <hwy/highway.h> and with `namespace hn = hwy::HWY_NAMESPACE`. A vector of 16 lanes holds two rows of the i side
// times the 8 atoms of a cluster; one of 8 lanes a single row; shorter ones a part of it.

template <class D>
struct ClusterShape {
    static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
    static constexpr int rows = lanes > cluster_size ? lanes / cluster_size : 1;     ///< of i in one vector
    static constexpr int parts = lanes < cluster_size ? cluster_size / lanes : 1;    ///< vectors to a cluster
    static constexpr int vectors = group_rows / rows;                                ///< to the rows of a group
};

/// Part `part` of the 8 values of a cluster, repeated for every row of the vector.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_cluster(D d, const T* values, int part) {
    static_assert(sizeof(T) == sizeof(hn::TFromD<D>));
    const auto* p = reinterpret_cast<const hn::TFromD<D>*>(values);
#if HWY_MAX_BYTES == 64
    if constexpr (ClusterShape<D>::rows == 2) {
        const __m256i eight = _mm256_load_si256(reinterpret_cast<const __m256i*>(p));
        return hn::BitCast(d, hn::Vec<hn::RebindToSigned<D>>{_mm512_broadcast_i32x8(eight)});
    }
#endif
    return hn::Load(d, p + part * ClusterShape<D>::lanes);
}

/// The value of row `first` in the lanes of the first row of the vector, the next one in those of the second.
template <class D, class T>
HWY_INLINE hn::Vec<D> spread_rows(D d, const T* values, int first) {
    static_assert(sizeof(T) == sizeof(hn::TFromD<D>));
    const auto* p = reinterpret_cast<const hn::TFromD<D>*>(values);
#if HWY_MAX_BYTES == 64
    if constexpr (ClusterShape<D>::rows == 2) {
        return hn::ConcatLowerLower(d, hn::Set(d, p[first + 1]), hn::Set(d, p[first]));
    }
#endif
    return hn::Set(d, p[first]);
}

/// The bits of a 32-bit mask (8 * row + lane) that belong to a vector of rows.
template <class D>
HWY_INLINE hn::Mask<D> rows_mask(D d, std::uint32_t mask, int first_row, int part) {
    using Shape = ClusterShape<D>;
    constexpr std::uint64_t used = (std::uint64_t{1} << Shape::lanes) - 1;
    const std::uint64_t bits = (std::uint64_t{mask} >> (8 * first_row + part * Shape::lanes)) & used;
    return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
}

/// Whole boxes between a and b, as unsigned lattice coordinates, beyond their minimum image: (a - b - image) / 2^32,
/// -1, 0 or 1.
template <class D, class V>
HWY_INLINE V borrow(D n, V a, V b) {
    const V sign = hn::Set(n, INT32_MIN), one = hn::Set(n, 1);
    const V less = hn::IfThenElseZero(hn::Lt(hn::Xor(a, sign), hn::Xor(b, sign)), one);
    return hn::Sub(hn::IfThenElseZero(hn::Lt(hn::Sub(a, b), hn::Zero(n)), one), less);
}

/// Cartesian differences [nm] of lattice differences.
template <class V, class D, class Metric>
HWY_INLINE V squared_distance(D d, const Metric& m, V dx, V dy, V dz) {
    const V x = hn::MulAdd(dx, hn::Set(d, m.xx), hn::MulAdd(dy, hn::Set(d, m.yx), hn::Mul(dz, hn::Set(d, m.zx))));
    const V y = hn::MulAdd(dy, hn::Set(d, m.yy), hn::Mul(dz, hn::Set(d, m.zy)));
    const V z = hn::Mul(dz, hn::Set(d, m.zz));
    return hn::MulAdd(x, x, hn::MulAdd(y, y, hn::Mul(z, z)));
}
