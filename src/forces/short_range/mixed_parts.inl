// SPDX-License-Identifier: Apache-2.0
// What the pair kernel in single precision is made of: a fragment, see mixed_kernel.inl.

namespace hn = hwy::HWY_NAMESPACE;
using physics::CoulombTail;
using physics::LjTail;
#undef MDSIM_FORMULA
#define MDSIM_FORMULA HWY_INLINE
#include "pairs/cluster_simd.inl"
#include "physics/pair_formulas.inl"
// After the formulas, whose templates it completes.
#include "forces/short_range/simd_ops.inl"

using F = hn::ScalableTag<float>;
using I = hn::RebindToSigned<F>;
using VF = hn::Vec<F>;
using VI = hn::Vec<I>;
using Shape = ClusterShape<F>;

/// Vectors of a group are taken in pairs.
constexpr int blocks = Shape::vectors / 2;
/// Charges and Lennard-Jones parameters of the i side carry the unit of the forces. A power of two changes no bits.
constexpr float unit = 4096.0f;

/// How much a kernel is tuned; each step costs time to compile.
enum class Kind {
    energies,     ///< forces in 64-bit sums and energies, any box
    forces,       ///< any box
    tuned,        ///< any box; rows without Lennard-Jones parameters skip its formula
    rectangular,  ///< the same for rectangular boxes
};

template <template <class> class LjT, template <class> class CoulombT, LjSource source_, Kind kind>
struct Form {
    template <class Ops>
    using Lj = LjT<Ops>;
    template <class Ops>
    using Coulomb = CoulombT<Ops>;
    static constexpr LjSource source = source_;
    static constexpr bool rectangular = kind == Kind::rectangular;
    static constexpr bool energies = kind == Kind::energies;
    static constexpr bool ewald = !std::is_same_v<CoulombT<OneOps>, CoulombReactionField<OneOps>>;
    static constexpr bool tuned = kind == Kind::tuned || kind == Kind::rectangular;
};

/// The i side of two vectors of rows, and what has been added up for it.
struct RowBlock {
    Two<VI> x, y, z;
    Two<VF> q, a, b;
    Two<VI> force_x, force_y, force_z;
    VF strength;                              // lane by lane, the sum of strengths; with energies the largest
    std::int64_t exact[3][2 * Shape::rows];  // with energies: the forces, row by row
};

/// The j side: one cluster, or a part of it in short vectors.
struct Column {
    VI x, y, z;
    VF q, a, b;
    std::int64_t* exact[3];  // with energies: its forces
};

/// Vectors of the forces on a cluster.
#if HWY_MAX_BYTES == 64
using ReactionTag = hn::Half<I>;
HWY_INLINE hn::Vec<ReactionTag> fold(VI v) {
    const ReactionTag half;
    return hn::LowerHalf(half, v) + hn::UpperHalf(half, v);
}
#else
using ReactionTag = I;
HWY_INLINE VI fold(VI v) {
    return v;
}
#endif
/// See MixedKernel::in_range.
constexpr std::int64_t sum_limit = std::int64_t{1} << 30;

struct LjPair {
    VF six_c6, twelve_c12;
};

template <LjSource source>
HWY_INLINE LjPair lj_parameters(const MixedArguments& arguments, VF ia, VF ib, VF ja, VF jb) {
    const F f;
    if constexpr (source == LjSource::lorentz_berthelot) {
        const VF sigma = ia + ja;
        const VF s2 = sigma * sigma;
        const VF s6 = s2 * s2 * s2;
        const VF six_c6 = (ib * jb) * s6;
        return {six_c6, (six_c6 + six_c6) * s6};
    } else if constexpr (source == LjSource::geometric) {
        return {ia * ja, ib * jb};
    } else {
        const VI index = hn::BitCast(I(), ia) + hn::BitCast(I(), ja);
        return {hn::GatherIndex(f, arguments.six_c6, index), hn::GatherIndex(f, arguments.twelve_c12, index)};
    }
}

/// An upper bound of each component of a force, where distances are up to the larger of 1 nm and the cutoff: see
/// mixed_force_limit. Ewald kernels have the cutoff in their limit.
template <class Form>
HWY_INLINE VF strength(VF force_over_r, VF r2, VF inverse_r) {
    if constexpr (Form::ewald && !Form::energies) return hn::Abs(force_over_r);
    return hn::Abs(force_over_r) * hn::Max(r2 * inverse_r, hn::Set(F(), 1.0f));
}

/// The larger strength, lane by lane. By its bits not-a-number is larger than any number.
HWY_INLINE VF stronger(VF a, VF b) {
    return hn::BitCast(F(), hn::Max(hn::BitCast(I(), a), hn::BitCast(I(), b)));
}

/// Adds components of one vector to the sums of its rows, and takes them off those of its columns.
HWY_INLINE void add_exactly(VI component, std::int64_t* rows, std::int64_t* columns) {
    alignas(64) std::int32_t values[Shape::lanes];
    hn::Store(component, I(), values);
    constexpr int lanes_of_row = Shape::lanes / Shape::rows;
    for (int r = 0; r < Shape::rows; ++r) {
        for (int lane = 0; lane < lanes_of_row; ++lane) {
            const std::int64_t value = values[r * lanes_of_row + lane];
            rows[r] += value;
            columns[lane] -= value;
        }
    }
}

/// Adds energies of one vector, each rounded by itself.
HWY_INLINE void add_energies(hn::Mask<F> mask, VF energy, std::int64_t& sum) {
    alignas(64) float values[Shape::lanes];
    hn::Store(hn::IfThenElseZero(mask, energy), F(), values);
    constexpr double scale = fixed::energy_scale / static_cast<double>(unit);
    for (const float v : values) sum += fixed::round_to_int64(static_cast<double>(v) * scale);
}

/// To the nearest integer. hn::NearestInt takes care of values beyond the range of integers as well, with four more
/// operations; here those are found by the size of F/r.
HWY_INLINE VI nearest(VF v) {
#if HWY_TARGET == HWY_SCALAR
    return hn::NearestInt(v);
#elif HWY_MAX_BYTES == 64
    return VI{_mm512_cvtps_epi32(v.raw)};
#elif HWY_MAX_BYTES == 32
    return VI{_mm256_cvtps_epi32(v.raw)};
#else
    return VI{_mm_cvtps_epi32(v.raw)};
#endif
}
HWY_INLINE Two<VI> nearest(Two<VF> v) {
    return {nearest(v.a), nearest(v.b)};
}

/// Whether the Lennard-Jones formula is needed for both, the first or neither vector of a block.
template <int lj_rows>
constexpr int lj_vectors(int block) {
    const int rows = lj_rows - block * 2 * Shape::rows;
    return rows <= 0 ? 0 : rows > Shape::rows ? 2 : 1;
}
