// SPDX-License-Identifier: Apache-2.0
// The pair kernel in double precision with 64-bit sums: a fragment, included inside the namespace of each instruction
// set. Positions are lattice coordinates as in the mixed kernel: 2^-32 of the box is 2e-9 nm at most for boxes of 8 nm,
// which changes forces by some 1e-8 of their size.

namespace hn = hwy::HWY_NAMESPACE;
using physics::CoulombTail;
using physics::LjTail;
#undef MDSIM_FORMULA
#define MDSIM_FORMULA HWY_INLINE
#include "physics/pair_formulas.inl"

using D = hn::ScalableTag<double>;
using L = hn::RebindToSigned<D>;
using N = hn::Rebind<std::int32_t, D>;
using VD = hn::Vec<D>;
using VL = hn::Vec<L>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
constexpr int parts = cluster_size / lanes;

/// The operations of physics/ops.h.
struct DoubleOps {
    using Real = VD;
    using Lane = double;

    static HWY_INLINE Real set(double value) { return hn::Set(D(), value); }
    static HWY_INLINE Real mul_add(Real a, Real b, Real c) { return hn::MulAdd(a, b, c); }
    static HWY_INLINE Real mul_sub(Real a, Real b, Real c) { return hn::MulSub(a, b, c); }
    static HWY_INLINE Real neg_mul_add(Real a, Real b, Real c) { return hn::NegMulAdd(a, b, c); }
    static HWY_INLINE Real divide(Real a, Real b) { return hn::Div(a, b); }
    static HWY_INLINE Real max(Real a, Real b) { return hn::Max(a, b); }
    static HWY_INLINE Real min(Real a, Real b) { return hn::Min(a, b); }
    static HWY_INLINE Real select_less(Real a, Real b, Real yes, Real no) {
        return hn::IfThenElse(hn::Lt(a, b), yes, no);
    }
    static HWY_INLINE Real round(Real a) { return (a + set(magic)) - set(magic); }
    static HWY_INLINE Real scale(Real a, Real n) {
        // The low bits of n + magic are n; shifted, they add to the exponent.
        const VL exponent = hn::ShiftLeft<52>(hn::BitCast(L(), n + set(magic)));
        return hn::BitCast(D(), hn::BitCast(L(), a) + exponent);
    }
    static HWY_INLINE Real inverse_sqrt(Real a) { return hn::Div(set(1.0), hn::Sqrt(a)); }

    static constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
};

/// What to_units takes [kJ/mol and per nm]: 2^60 units, so that seven such addends fit the sum.
constexpr double unit_limit = 0x1p28;

/// To the nearest integer of 2^-32, clamped to +-unit_limit. Symmetric in sign. High and low
/// parts are rounded apart, because the trick with 1.5 * 2^52 holds up to 2^51 only.
HWY_INLINE VL to_units(VD value) {
    const VD limit = DoubleOps::set(unit_limit * fixed::energy_scale);
    VD v = value * DoubleOps::set(fixed::energy_scale);
    v = hn::Max(hn::Min(v, limit), hn::Neg(limit));
    const VD magic = DoubleOps::set(DoubleOps::magic);
    const VD high_bits = v * DoubleOps::set(0x1p-30) + magic;
    const VD high = high_bits - magic;
    const VD low = hn::NegMulAdd(high, DoubleOps::set(0x1p30), v);
    const VL base = hn::BitCast(L(), magic);
    const VL low_units = hn::BitCast(L(), low + magic) - base;
    return hn::ShiftLeft<30>(hn::BitCast(L(), high_bits) - base) + low_units;
}

HWY_INLINE VD largest_of(VD a, VD b, VD c) {
    return hn::Max(hn::Max(a, b), c);
}

HWY_INLINE std::int64_t sum_of_lanes(VL v) {
    alignas(64) std::int64_t values[lanes];
    hn::Store(v, L(), values);
    std::uint64_t sum = 0;
    for (const std::int64_t x : values) sum += static_cast<std::uint64_t>(x);
    return static_cast<std::int64_t>(sum);
}

/// One thread's walk through its part of the list: one row of i against one cluster (or a part of it) at a time.
template <template <class> class LjT, template <class> class CoulombT>
class DoubleKernel {
  public:
    explicit DoubleKernel(const DoubleArguments& arguments)
        : arguments_(arguments),
          lj_(spread<DoubleOps>(arguments.form.lj)),
          coulomb_(spread<DoubleOps>(arguments.form.coulomb)) {}

    void run() {
        for (const PairChunk& chunk : arguments_.chunks) {
            for (const PairRow& row : chunk.rows) {
                for (int r = 0; r < group_rows; ++r) compute_row(chunk, row, r);
            }
        }
    }

  private:
    using Lj = LjT<DoubleOps>;
    using Coulomb = CoulombT<DoubleOps>;

    /// One atom of i and what has been added up for it.
    struct Row {
        std::int32_t x, y, z;
        double q;
        const double *six_c6, *twelve_c12;
        VL force_x, force_y, force_z, lj_energy, coulomb_energy;
        VD largest;  // of all that was rounded
    };

    const DoubleArguments& arguments_;
    LjTail<VD> lj_;
    CoulombTail<VD> coulomb_;

    void compute_row(const PairChunk& chunk, const PairRow& row, int r);
    HWY_INLINE void compute_entry(Row& i, std::uint32_t j, std::uint32_t mask) const;
    HWY_INLINE void add_pairs(Row& i, std::uint32_t j, int first, hn::Mask<D> mask) const;
    HWY_INLINE VD look_up(const double* row, const std::int32_t* types) const;
};

template <template <class> class LjT, template <class> class CoulombT>
HWY_INLINE VD DoubleKernel<LjT, CoulombT>::look_up(const double* row, const std::int32_t* types) const {
    alignas(64) double values[lanes];
    for (int k = 0; k < lanes; ++k) values[k] = row[types[k]];
    return hn::Load(D(), values);
}

template <template <class> class LjT, template <class> class CoulombT>
HWY_INLINE void DoubleKernel<LjT, CoulombT>::add_pairs(Row& i, std::uint32_t j, int first, hn::Mask<D> mask) const {
    const D d;
    const N n;
    const LatticeMetric<double>& m = arguments_.metric;
    const ClusterPoints& p = arguments_.points[j];
    const DoubleParameters& c = arguments_.parameters[j];
    DoubleForces& f = arguments_.forces[j];
    const auto difference = [&](std::int32_t own, const std::uint32_t* other) HWY_ATTR {
        return hn::PromoteTo(d, hn::Set(n, own) - hn::Load(n, reinterpret_cast<const std::int32_t*>(other) + first));
    };
    const VD dx = difference(i.x, p.x), dy = difference(i.y, p.y), dz = difference(i.z, p.z);
    const VD x = hn::MulAdd(dx, hn::Set(d, m.xx), hn::MulAdd(dy, hn::Set(d, m.yx), dz * hn::Set(d, m.zx)));
    const VD y = hn::MulAdd(dy, hn::Set(d, m.yy), dz * hn::Set(d, m.zy));
    const VD z = dz * hn::Set(d, m.zz);
    const VD distance2 = hn::MulAdd(x, x, hn::MulAdd(y, y, z * z));
    mask = hn::And(mask, hn::Lt(distance2, hn::Set(d, arguments_.form.cutoff2)));
    if (hn::AllFalse(d, mask)) return;
    // Atoms on top of each other get a finite force.
    const VD r2 = hn::Max(distance2, hn::Set(d, double_r2_floor));
    const VD inverse_r = DoubleOps::inverse_sqrt(r2);
    const VD six_c6 = look_up(i.six_c6, c.type + first), twelve_c12 = look_up(i.twelve_c12, c.type + first);
    const VD qq = hn::Set(d, i.q) * hn::Load(d, c.q + first);
    const VD over_r = hn::IfThenElseZero(mask, Coulomb::force_over_r(coulomb_, r2, inverse_r, qq) +
                                                   Lj::force_over_r(lj_, r2, inverse_r, six_c6, twelve_c12));
    const VL fx = to_units(over_r * x), fy = to_units(over_r * y), fz = to_units(over_r * z);
    const hn::Mask<D> floored = hn::And(hn::Lt(distance2, r2), hn::Ne(over_r, hn::Zero(d)));
    const VD at_floor = hn::IfThenElseZero(floored, hn::Set(d, unit_limit));
    i.largest = hn::Max(hn::Max(i.largest, at_floor), hn::Abs(over_r) * largest_of(hn::Abs(x), hn::Abs(y), hn::Abs(z)));
    i.force_x = i.force_x + fx;
    i.force_y = i.force_y + fy;
    i.force_z = i.force_z + fz;
    const L l;
    hn::Store(hn::Load(l, f.x + first) - fx, l, f.x + first);
    hn::Store(hn::Load(l, f.y + first) - fy, l, f.y + first);
    hn::Store(hn::Load(l, f.z + first) - fz, l, f.z + first);
    if (!arguments_.form.energies) return;
    const VD lj = Lj::energy(lj_, r2, inverse_r, six_c6, twelve_c12);
    const VD coulomb = Coulomb::energy(coulomb_, r2, inverse_r, qq);
    const VD lj_here = hn::IfThenElseZero(mask, lj), coulomb_here = hn::IfThenElseZero(mask, coulomb);
    i.lj_energy = i.lj_energy + to_units(lj_here);
    i.coulomb_energy = i.coulomb_energy + to_units(coulomb_here);
    i.largest = largest_of(i.largest, hn::Abs(lj_here), hn::Abs(coulomb_here));
}

template <template <class> class LjT, template <class> class CoulombT>
HWY_INLINE void DoubleKernel<LjT, CoulombT>::compute_entry(Row& i, std::uint32_t j, std::uint32_t mask) const {
    for (int part = 0; part < parts; ++part) {
        const std::uint64_t bits = (mask >> (part * lanes)) & ((1u << lanes) - 1);
        if (bits == 0) continue;
        add_pairs(i, j, part * lanes, hn::LoadMaskBits(D(), reinterpret_cast<const std::uint8_t*>(&bits)));
    }
}

template <template <class> class LjT, template <class> class CoulombT>
void DoubleKernel<LjT, CoulombT>::compute_row(const PairChunk& chunk, const PairRow& row, int r) {
    const std::uint32_t cluster = row.group / 2;
    const int place = static_cast<int>(row.group % 2) * group_rows + r;
    const ClusterPoints& p = arguments_.points[cluster];
    const DoubleParameters& c = arguments_.parameters[cluster];
    const auto of_type = static_cast<std::ptrdiff_t>(c.type[place]) * arguments_.types;
    const VL zero = hn::Zero(L());
    Row i{static_cast<std::int32_t>(p.x[place]),
          static_cast<std::int32_t>(p.y[place]),
          static_cast<std::int32_t>(p.z[place]),
          c.q[place],
          arguments_.six_c6 + of_type,
          arguments_.twelve_c12 + of_type,
          zero,
          zero,
          zero,
          zero,
          zero,
          hn::Zero(D())};
    for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
        compute_entry(i, chunk.masked[k].cluster, chunk.masked[k].mask >> (8 * r) & 0xffu);
    }
    const std::uint32_t end = row.ends[arguments_.shells[cluster]];
    for (std::uint32_t k = row.begin; k < end; ++k) compute_entry(i, chunk.plain[k], 0xffu);
    const Vec3l sum{sum_of_lanes(i.force_x), sum_of_lanes(i.force_y), sum_of_lanes(i.force_z)};
    DoubleForces& f = arguments_.forces[cluster];
    f.x[place] += sum.x;
    f.y[place] += sum.y;
    f.z[place] += sum.z;
    arguments_.shift_forces[row.shift] += sum;
    arguments_.energies->lj += sum_of_lanes(i.lj_energy);
    arguments_.energies->coulomb += sum_of_lanes(i.coulomb_energy);
    if (!hn::AllTrue(D(), hn::Lt(i.largest, hn::Set(D(), unit_limit)))) arguments_.energies->clipped = true;
}

template <template <class> class Lj>
void run_double(const DoubleArguments& arguments) {
    if (physics::is_prolate(arguments.form.coulomb)) return DoubleKernel<Lj, CoulombProlate>(arguments).run();
    if (arguments.form.ewald) return DoubleKernel<Lj, CoulombEwaldExact>(arguments).run();
    DoubleKernel<Lj, CoulombReactionField>(arguments).run();
}
