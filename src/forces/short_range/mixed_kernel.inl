// SPDX-License-Identifier: Apache-2.0
// The pair kernel in single precision with integer sums: a fragment, included inside the namespace of each instruction
// set after cluster_simd.inl, simd_ops.inl and the formulas.
//
// Differences of positions are exact integers, every component of a pair's force is rounded once, and all arithmetic in
// between treats i and j alike. So the bits of a pair's force depend on the two positions and parameters alone.

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
    energies,     ///< forces and energies, any box
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
    static constexpr bool tuned = kind == Kind::tuned || kind == Kind::rectangular;
};

/// The i side of two vectors of rows, and what has been added up for it.
struct RowBlock {
    Two<VI> x, y, z;
    Two<VF> q, a, b;
    Two<VI> force_x, force_y, force_z;
    VI largest;  // bits of the largest |F/r|; those of not-a-number are larger still
};

/// The j side: one cluster, or a part of it in short vectors.
struct Column {
    VI x, y, z;
    VF q, a, b;
};

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

/// One thread's walk through its part of the list.
template <class Form>
class MixedKernel {
  public:
    HWY_INLINE explicit MixedKernel(const MixedArguments& arguments)
        : arguments_(arguments),
          lj_one_(spread<OneOps>(arguments.form.lj)),
          lj_two_(spread<TwoOps>(arguments.form.lj)),
          coulomb_(spread<TwoOps>(arguments.form.coulomb)),
          cutoff2_(OneOps::set(arguments.form.cutoff2)),
          largest_(hn::Zero(I())) {}

    bool run() {
        for (const PairChunk& chunk : arguments_.chunks) {
            lj_energy_ = coulomb_energy_ = 0;
            for (const PairRow& row : chunk.rows) {
                const int lj_rows = Form::tuned ? arguments_.lj_rows[row.group] : group_rows;
                if (lj_rows == group_rows) {
                    compute_row<group_rows>(chunk, row);
                } else if constexpr (Form::tuned) {
                    lj_rows == 0 ? compute_row<0>(chunk, row) : compute_row<2>(chunk, row);
                }
            }
            if constexpr (Form::energies) {
                arguments_.energies->lj += lj_energy_;
                arguments_.energies->coulomb += coulomb_energy_;
            }
        }
        alignas(64) std::int32_t largest[Shape::lanes];
        hn::Store(largest_, I(), largest);
        std::int32_t bits = 0;
        for (const std::int32_t l : largest) bits = l > bits ? l : bits;
        return bits < std::bit_cast<std::int32_t>(mixed_force_limit * unit);
    }

  private:
    const MixedArguments& arguments_;
    LjTail<OneOps::Real> lj_one_;
    LjTail<TwoOps::Real> lj_two_;
    CoulombTail<TwoOps::Real> coulomb_;
    VF cutoff2_;  // [nm^2]
    VI largest_;  // see RowBlock
    std::int64_t lj_energy_ = 0, coulomb_energy_ = 0;

    HWY_INLINE void load_rows(const PairRow& row, RowBlock* block) const;
    template <int lj_rows>
    HWY_INLINE void compute_row(const PairChunk& chunk, const PairRow& row);
    template <int lj_rows, bool masked>
    HWY_INLINE void compute_entry(RowBlock* block, std::uint32_t j, std::uint32_t mask);
    template <int lj, bool masked>
    HWY_INLINE void compute_block(RowBlock& i, const Column& j, Two<hn::Mask<F>> mask, Two<VI>* reaction);
    template <class T>
    HWY_INLINE void finish_rows(const PairRow& row, const T* block);
    HWY_INLINE std::uint32_t gather_entries(const PairChunk& chunk, const PairRow& row, const RowBlock* block);
};

template <class Form>
HWY_INLINE void MixedKernel<Form>::load_rows(const PairRow& row, RowBlock* block) const {
    const ClusterPoints& p = arguments_.points[row.group / 2];
    const MixedParameters& c = arguments_.parameters[row.group / 2];
    const int half = static_cast<int>(row.group % 2) * group_rows;
    const F f;
    const I i;
    const VF scale = hn::Set(f, unit);
    const VI row_of_table = hn::Set(i, arguments_.types);
    const VI zero = hn::Zero(i);
    for (int k = 0; k < blocks; ++k) {
        const int first = half + 2 * k * Shape::rows, second = first + Shape::rows;
        RowBlock& b = block[k];
        b.x = {spread_rows(i, p.x, first), spread_rows(i, p.x, second)};
        b.y = {spread_rows(i, p.y, first), spread_rows(i, p.y, second)};
        b.z = {spread_rows(i, p.z, first), spread_rows(i, p.z, second)};
        b.q = {spread_rows(f, c.q, first) * scale, spread_rows(f, c.q, second) * scale};
        b.a = {spread_rows(f, c.a, first), spread_rows(f, c.a, second)};
        b.b = {spread_rows(f, c.b, first), spread_rows(f, c.b, second)};
        if constexpr (Form::source == LjSource::table) {
            b.a.a = hn::BitCast(f, hn::BitCast(i, b.a.a) * row_of_table);
            b.a.b = hn::BitCast(f, hn::BitCast(i, b.a.b) * row_of_table);
        } else {
            b.b = {b.b.a * scale, b.b.b * scale};
            if constexpr (Form::source == LjSource::geometric) b.a = {b.a.a * scale, b.a.b * scale};
        }
        b.force_x = b.force_y = b.force_z = {zero, zero};
        b.largest = zero;
    }
}

template <class Form>
template <int lj, bool masked>
HWY_INLINE void MixedKernel<Form>::compute_block(RowBlock& i, const Column& j, Two<hn::Mask<F>> mask,
                                                 Two<VI>* reaction) {
    using Real = Two<VF>;
    const F f;
    const I n;
    const LatticeMetric<float>& m = arguments_.metric;
    const Real dx{hn::ConvertTo(f, i.x.a - j.x), hn::ConvertTo(f, i.x.b - j.x)};
    const Real dy{hn::ConvertTo(f, i.y.a - j.y), hn::ConvertTo(f, i.y.b - j.y)};
    const Real dz{hn::ConvertTo(f, i.z.a - j.z), hn::ConvertTo(f, i.z.b - j.z)};
    Real x = dx * TwoOps::set(m.xx), y = dy * TwoOps::set(m.yy);
    const Real z = dz * TwoOps::set(m.zz);
    if constexpr (!Form::rectangular) {
        // With zeros the same bits as above, but for the sign of zero.
        y = TwoOps::mul_add(dy, TwoOps::set(m.yy), dz * TwoOps::set(m.zy));
        x = TwoOps::mul_add(dx, TwoOps::set(m.xx),
                            TwoOps::mul_add(dy, TwoOps::set(m.yx), dz * TwoOps::set(m.zx)));
    }
    const Real r2 = TwoOps::mul_add(x, x, TwoOps::mul_add(y, y, z * z));
    if constexpr (masked) {
        mask = {hn::And(mask.a, hn::Lt(r2.a, cutoff2_)), hn::And(mask.b, hn::Lt(r2.b, cutoff2_))};
    } else {
        mask = {hn::Lt(r2.a, cutoff2_), hn::Lt(r2.b, cutoff2_)};
    }
    const Real inverse_r = TwoOps::inverse_sqrt(r2);
    const Real qq = i.q * Real{j.q, j.q};
    using Coulomb = typename Form::template Coulomb<TwoOps>;
    using LjOne = typename Form::template Lj<OneOps>;
    Real force = Coulomb::force_over_r(coulomb_, r2, inverse_r, qq);
    if constexpr (lj > 0) {
        const LjPair p = lj_parameters<Form::source>(arguments_, i.a.a, i.b.a, j.a, j.b);
        force.a = force.a + LjOne::force_over_r(lj_one_, r2.a, inverse_r.a, p.six_c6, p.twelve_c12);
        if constexpr (Form::energies) {
            add_energies(mask.a, LjOne::energy(lj_one_, r2.a, inverse_r.a, p.six_c6, p.twelve_c12), lj_energy_);
        }
    }
    if constexpr (lj > 1) {
        const LjPair p = lj_parameters<Form::source>(arguments_, i.a.b, i.b.b, j.a, j.b);
        force.b = force.b + LjOne::force_over_r(lj_one_, r2.b, inverse_r.b, p.six_c6, p.twelve_c12);
        if constexpr (Form::energies) {
            add_energies(mask.b, LjOne::energy(lj_one_, r2.b, inverse_r.b, p.six_c6, p.twelve_c12), lj_energy_);
        }
    }
    if constexpr (Form::energies) {
        const Real energy = Coulomb::energy(coulomb_, r2, inverse_r, qq);
        add_energies(mask.a, energy.a, coulomb_energy_);
        add_energies(mask.b, energy.b, coulomb_energy_);
    }
    force = {hn::IfThenElseZero(mask.a, force.a), hn::IfThenElseZero(mask.b, force.b)};
    i.largest = hn::Max(i.largest, hn::BitCast(n, hn::Abs(force.a)));
    i.largest = hn::Max(i.largest, hn::BitCast(n, hn::Abs(force.b)));
    const Two<VI> fx = nearest(force * x), fy = nearest(force * y), fz = nearest(force * z);
    i.force_x = i.force_x + fx;
    i.force_y = i.force_y + fy;
    i.force_z = i.force_z + fz;
    reaction[0] = reaction[0] + fx;
    reaction[1] = reaction[1] + fy;
    reaction[2] = reaction[2] + fz;
}

/// Takes the reaction off the forces on a cluster (or a part of it).
HWY_INLINE void subtract(std::int32_t* forces, Two<VI> sums, int part) {
    const I n;
    const VI v = sums.a + sums.b;
#if HWY_MAX_BYTES == 64
    if constexpr (Shape::rows == 2) {
        const hn::Half<I> half;
        const auto both = hn::LowerHalf(half, v) + hn::UpperHalf(half, v);
        hn::Store(hn::Load(half, forces) - both, half, forces);
        return;
    }
#endif
    std::int32_t* const at = forces + part * Shape::lanes;
    hn::Store(hn::Load(n, at) - v, n, at);
}

template <class Form>
template <int lj_rows, bool masked>
HWY_INLINE void MixedKernel<Form>::compute_entry(RowBlock* block, std::uint32_t j, std::uint32_t mask) {
    const F f;
    const I n;
    const ClusterPoints& p = arguments_.points[j];
    const MixedParameters& c = arguments_.parameters[j];
    MixedForces& forces = arguments_.forces[j];
    for (int part = 0; part < Shape::parts; ++part) {
        Column column{load_cluster(n, p.x, part), load_cluster(n, p.y, part), load_cluster(n, p.z, part),
                      load_cluster(f, c.q, part), hn::Zero(f), hn::Zero(f)};
        if constexpr (lj_rows > 0) {
            column.a = load_cluster(f, c.a, part);
            column.b = load_cluster(f, c.b, part);
        }
        const VI zero = hn::Zero(n);
        Two<VI> reaction[3] = {{zero, zero}, {zero, zero}, {zero, zero}};
        Two<hn::Mask<F>> masks{};
        if constexpr (masked) masks = {rows_mask(f, mask, 0, part), rows_mask(f, mask, Shape::rows, part)};
        compute_block<lj_vectors<lj_rows>(0), masked>(block[0], column, masks, reaction);
        if constexpr (blocks == 2) {
            if constexpr (masked) {
                masks = {rows_mask(f, mask, 2 * Shape::rows, part), rows_mask(f, mask, 3 * Shape::rows, part)};
            }
            compute_block<lj_vectors<lj_rows>(1), masked>(block[1], column, masks, reaction);
        }
        subtract(forces.x, reaction[0], part);
        subtract(forces.y, reaction[1], part);
        subtract(forces.z, reaction[2], part);
    }
}

/// The sure clusters of a row, and of the others those that have an atom within the cutoff now; into the scratch. Their
/// number.
template <class Form>
HWY_INLINE std::uint32_t MixedKernel<Form>::gather_entries(const PairChunk& chunk, const PairRow& row,
                                                           const RowBlock* block) {
    const F f;
    const I n;
    const std::uint32_t count = row.end - row.begin;
    if (arguments_.scratch->size() < count + 1) arguments_.scratch->resize(2 * count + 1);
    std::uint32_t* const out = arguments_.scratch->data();
    std::uint32_t kept = row.sure_end - row.begin;
    std::copy_n(chunk.plain.data() + row.begin, kept, out);
    const VF limit = OneOps::set(arguments_.form.cutoff2 * 1.000001);
    for (std::uint32_t k = row.sure_end; k < row.end; ++k) {
        const std::uint32_t j = chunk.plain[k];
        const ClusterPoints& p = arguments_.points[j];
        VF least = OneOps::set(1e30);
        for (int part = 0; part < Shape::parts; ++part) {
            const VI x = load_cluster(n, p.x, part), y = load_cluster(n, p.y, part), z = load_cluster(n, p.z, part);
#pragma GCC unroll 2
            for (int b = 0; b < blocks; ++b) {
                const RowBlock& i = block[b];
                least = hn::Min(least, squared_distance(f, arguments_.metric, hn::ConvertTo(f, i.x.a - x),
                                                        hn::ConvertTo(f, i.y.a - y), hn::ConvertTo(f, i.z.a - z)));
                least = hn::Min(least, squared_distance(f, arguments_.metric, hn::ConvertTo(f, i.x.b - x),
                                                        hn::ConvertTo(f, i.y.b - y), hn::ConvertTo(f, i.z.b - z)));
            }
        }
        out[kept] = j;
        kept += hn::AllFalse(f, hn::Lt(least, limit)) ? 0 : 1;
    }
    return kept;
}

template <class Form>
template <int lj_rows>
HWY_INLINE void MixedKernel<Form>::compute_row(const PairChunk& chunk, const PairRow& row) {
    RowBlock block[blocks];
    load_rows(row, block);
    const std::uint32_t count = gather_entries(chunk, row, block);
    for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
        compute_entry<lj_rows, true>(block, chunk.masked[k].cluster, chunk.masked[k].mask);
    }
    const std::uint32_t* const entries = arguments_.scratch->data();
    for (std::uint32_t k = 0; k < count; ++k) compute_entry<lj_rows, false>(block, entries[k], 0);
    finish_rows(row, block);
}

template <class Form>
template <class T>
HWY_INLINE void MixedKernel<Form>::finish_rows(const PairRow& row, const T* block) {
    MixedForces& forces = arguments_.forces[row.group / 2];
    for (int k = 0; k < blocks; ++k) largest_ = hn::Max(largest_, block[k].largest);
    const int half = static_cast<int>(row.group % 2) * group_rows;
    std::int32_t* const axes[3] = {forces.x, forces.y, forces.z};
    alignas(64) std::uint32_t lanes[2 * Shape::lanes];
    for (int axis = 0; axis < 3; ++axis) {
        std::int64_t all = 0;
        for (int k = 0; k < blocks; ++k) {
            const Two<VI>& sum = axis == 0 ? block[k].force_x : axis == 1 ? block[k].force_y : block[k].force_z;
            const hn::RebindToUnsigned<F> u;
            hn::Store(hn::BitCast(u, sum.a), u, lanes);
            hn::Store(hn::BitCast(u, sum.b), u, lanes + Shape::lanes);
            constexpr int lanes_of_row = Shape::lanes / Shape::rows;
            for (int r = 0; r < 2 * Shape::rows; ++r) {
                std::uint32_t of_row = 0;
                for (int lane = 0; lane < lanes_of_row; ++lane) of_row += lanes[r * lanes_of_row + lane];
                std::int32_t& to = axes[axis][half + 2 * k * Shape::rows + r];
                to = static_cast<std::int32_t>(static_cast<std::uint32_t>(to) + of_row);
                all += static_cast<std::int32_t>(of_row);
            }
        }
        if (row.shift != no_shift) arguments_.shift_forces[row.shift][axis] += all;
    }
}

template <class Form>
bool run_mixed(const MixedArguments& arguments) {
    return MixedKernel<Form>(arguments).run();
}

template <template <class> class Lj, template <class> class Coulomb, LjSource source, bool tuned>
bool run_kind(const MixedArguments& a) {
    if (a.form.energies) return run_mixed<Form<Lj, Coulomb, source, Kind::energies>>(a);
    if constexpr (tuned) {
        if (a.form.rectangular) return run_mixed<Form<Lj, Coulomb, source, Kind::rectangular>>(a);
        return run_mixed<Form<Lj, Coulomb, source, Kind::tuned>>(a);
    }
    return run_mixed<Form<Lj, Coulomb, source, Kind::forces>>(a);
}

template <template <class> class Lj, LjSource source, bool tuned = false>
bool run_coulomb(const MixedArguments& a) {
    if constexpr (tuned) {
        if (a.form.ewald && a.form.coulomb.fit_scale > 0.0) return run_kind<Lj, CoulombEwaldPolynomial, source, true>(a);
    }
    if (a.form.ewald) return run_kind<Lj, CoulombEwaldRational, source, false>(a);
    return run_kind<Lj, CoulombReactionField, source, false>(a);
}
