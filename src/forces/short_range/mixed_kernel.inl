// SPDX-License-Identifier: Apache-2.0
// The pair kernel in single precision with integer sums: a fragment, included inside the namespace of each instruction
// set.
//
// Differences of positions are exact integers, every component of a pair's force is rounded once, and all arithmetic in
// between treats i and j alike. So the bits of a pair's force depend on the two positions and parameters alone.

#include "forces/short_range/mixed_parts.inl"

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
          strongest_(hn::Zero(F())),
          beyond_(hn::Zero(ReactionTag())) {}

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
        return in_range();
    }

  private:
    const MixedArguments& arguments_;
    LjTail<OneOps::Real> lj_one_;
    LjTail<TwoOps::Real> lj_two_;
    CoulombTail<TwoOps::Real> coulomb_;
    VF cutoff2_;  // [nm^2]
    // What tells whether sums fit; see in_range.
    VF strongest_;
    hn::Vec<ReactionTag> beyond_;
    bool rows_beyond_ = false;
    std::int64_t lj_energy_ = 0, coulomb_energy_ = 0;

    HWY_INLINE void load_rows(const PairRow& row, RowBlock* block) const;
    template <int lj_rows>
    HWY_INLINE void compute_row(const PairChunk& chunk, const PairRow& row);
    template <int lj_rows, bool masked>
    HWY_INLINE void compute_entry(RowBlock* block, std::uint32_t j, std::uint32_t mask);
    template <int lj, bool masked>
    HWY_INLINE void compute_block(RowBlock& i, const Column& j, Two<hn::Mask<F>> mask, Two<VI>* reaction);
    HWY_INLINE void subtract(std::int32_t* forces, Two<VI> sums, int part);
    HWY_INLINE void add_row(const PairRow& row, int axis, int place, std::int64_t of_row);
    HWY_INLINE void finish_rows(const PairRow& row, const RowBlock* block);
    HWY_INLINE bool in_range() const;
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
        b.strength = hn::Zero(f);
        if constexpr (Form::energies) std::fill_n(&b.exact[0][0], 3 * 2 * Shape::rows, 0);
    }
}

template <class Form>
template <int lj, bool masked>
HWY_INLINE void MixedKernel<Form>::compute_block(RowBlock& i, const Column& j, Two<hn::Mask<F>> mask,
                                                 Two<VI>* reaction) {
    using Real = Two<VF>;
    const F f;
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
    const VF strength_a = strength<Form>(force.a, r2.a, inverse_r.a);
    const VF strength_b = strength<Form>(force.b, r2.b, inverse_r.b);
    const Two<VI> fx = nearest(force * x), fy = nearest(force * y), fz = nearest(force * z);
    if constexpr (Form::energies) {
        i.strength = stronger(i.strength, stronger(strength_a, strength_b));
        const Two<VI> components[3] = {fx, fy, fz};
        for (int axis = 0; axis < 3; ++axis) {
            add_exactly(components[axis].a, i.exact[axis], j.exact[axis]);
            add_exactly(components[axis].b, i.exact[axis] + Shape::rows, j.exact[axis]);
        }
        return;
    }
    i.strength = i.strength + (strength_a + strength_b);
    i.force_x = i.force_x + fx;
    i.force_y = i.force_y + fy;
    i.force_z = i.force_z + fz;
    reaction[0] = reaction[0] + fx;
    reaction[1] = reaction[1] + fy;
    reaction[2] = reaction[2] + fz;
}

/// Takes the reaction off the forces on a cluster (or a part of it).
template <class Form>
HWY_INLINE void MixedKernel<Form>::subtract(std::int32_t* forces, Two<VI> sums, int part) {
    const ReactionTag n;
    std::int32_t* const at = forces + part * Shape::lanes;
    const auto left = hn::Load(n, at) - fold(sums.a + sums.b);
    hn::Store(left, n, at);
    beyond_ = hn::Or(beyond_, hn::Xor(left, left + left));
}

template <class Form>
template <int lj_rows, bool masked>
HWY_INLINE void MixedKernel<Form>::compute_entry(RowBlock* block, std::uint32_t j, std::uint32_t mask) {
    const F f;
    const I n;
    const ClusterPoints& p = arguments_.points[j];
    const MixedParameters& c = arguments_.parameters[j];
    MixedForces* const forces = arguments_.forces + j;
    for (int part = 0; part < Shape::parts; ++part) {
        Column column{load_cluster(n, p.x, part), load_cluster(n, p.y, part), load_cluster(n, p.z, part),
                      load_cluster(f, c.q, part), hn::Zero(f), hn::Zero(f), {}};
        if constexpr (Form::energies) {
            DoubleForces& exact = arguments_.exact_forces[j];
            for (int axis = 0; axis < 3; ++axis) {
                column.exact[axis] = (axis == 0 ? exact.x : axis == 1 ? exact.y : exact.z) + part * Shape::lanes;
            }
        }
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
        if constexpr (!Form::energies) {
            subtract(forces->x, reaction[0], part);
            subtract(forces->y, reaction[1], part);
            subtract(forces->z, reaction[2], part);
        }
    }
}

/// The sure clusters of a row, and of the shells that atoms may have come from those that have an atom within the cutoff
/// now; into the scratch. Their number.
template <class Form>
HWY_INLINE std::uint32_t MixedKernel<Form>::gather_entries(const PairChunk& chunk, const PairRow& row,
                                                           const RowBlock* block) {
    const F f;
    const I n;
    const std::uint32_t end = row.ends[arguments_.shells[row.group / 2]];
    const std::uint32_t count = end - row.begin;
    if (arguments_.scratch->size() < count + 1) arguments_.scratch->resize(2 * count + 1);
    std::uint32_t* const out = arguments_.scratch->data();
    std::uint32_t kept = row.ends[0] - row.begin;
    std::copy_n(chunk.plain.data() + row.begin, kept, out);
    const VF limit = OneOps::set(arguments_.form.cutoff2 * 1.000001);
    for (std::uint32_t k = row.ends[0]; k < end; ++k) {
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
HWY_INLINE void MixedKernel<Form>::add_row(const PairRow& row, int axis, int place, std::int64_t of_row) {
    if constexpr (Form::energies) {
        DoubleForces& f = arguments_.exact_forces[row.group / 2];
        (axis == 0 ? f.x : axis == 1 ? f.y : f.z)[place] += of_row;
    } else {
        MixedForces& f = arguments_.forces[row.group / 2];
        std::int32_t& to = (axis == 0 ? f.x : axis == 1 ? f.y : f.z)[place];
        const std::int64_t sum = to + of_row;
        rows_beyond_ |= sum >= sum_limit || sum < -sum_limit;
        to = static_cast<std::int32_t>(sum);
    }
    arguments_.shift_forces[row.shift][axis] += of_row;
}

template <class Form>
HWY_INLINE void MixedKernel<Form>::finish_rows(const PairRow& row, const RowBlock* block) {
    const int half = static_cast<int>(row.group % 2) * group_rows;
    alignas(64) std::int32_t lanes[2 * Shape::lanes];
    constexpr int lanes_of_row = Shape::lanes / Shape::rows;
    for (int k = 0; k < blocks; ++k) {
        const RowBlock& b = block[k];
        strongest_ = stronger(strongest_, b.strength);
        for (int axis = 0; axis < 3; ++axis) {
            const Two<VI>& sum = axis == 0 ? b.force_x : axis == 1 ? b.force_y : b.force_z;
            hn::Store(sum.a, I(), lanes);
            hn::Store(sum.b, I(), lanes + Shape::lanes);
            for (int r = 0; r < 2 * Shape::rows; ++r) {
                std::int64_t of_row = 0;
                for (int lane = 0; lane < lanes_of_row; ++lane) of_row += lanes[r * lanes_of_row + lane];
                if constexpr (Form::energies) of_row = b.exact[axis][r];
                add_row(row, axis, half + 2 * k * Shape::rows + r, of_row);
            }
        }
    }
}

/// Kernels with 32-bit sums: whether no sum has wrapped around. Units are those of the forces, 2^12 to 1 kJ/mol/nm.
///  1. A pair: its components are below its strength, which is below 2^29 units.
///  2. The sum of a lane on the i side: below the sum of strengths of the lane, so below 2^29 units again, and roundings
///     by half a unit each cannot make that 2^31.
///  3. The reaction on one atom of j: the sum of at most two such lanes, below 2^30 units.
///  4. What has been added up for an atom: each new value is tested to be within +-2^30, and what is added to it before
///     the next test is below 2^31 - 2^30 units (the rows of i are added in 64 bits). So none wraps unnoticed.
/// Parts of the list are then added up in 64 bits. The order of additions can decide which intermediate sums are large
/// and so what is returned here, but no force: the same pairs are then added up by the kernel with 64-bit sums.
/// That kernel says whether every pair is below the limit, which depends on positions alone. A limit that is a little
/// larger than here, so that this cannot be true where that one says no.
template <class Form>
HWY_INLINE bool MixedKernel<Form>::in_range() const {
    alignas(64) float strongest[Shape::lanes];
    alignas(64) std::int32_t beyond[Shape::lanes];
    hn::Store(strongest_, F(), strongest);
    hn::Store(beyond_, ReactionTag(), beyond);
    const auto limit = static_cast<float>(Form::energies ? mixed_force_limit : arguments_.form.sum_limit) * unit;
    bool fits = !rows_beyond_;
    for (const float s : strongest) fits = fits && s < limit;
    for (std::size_t lane = 0; lane < hn::MaxLanes(ReactionTag()); ++lane) fits = fits && beyond[lane] >= 0;
    return fits;
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
    if (a.form.ewald && a.form.coulomb.fit_scale > 0.0) return run_kind<Lj, CoulombEwaldPolynomial, source, tuned>(a);
    if (a.form.ewald) return run_kind<Lj, CoulombEwaldRational, source, false>(a);
    return run_kind<Lj, CoulombReactionField, source, false>(a);
}
