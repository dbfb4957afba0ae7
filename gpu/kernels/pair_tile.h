// SPDX-License-Identifier: Apache-2.0
#pragma once

// The short-range kernel for every form. Only a .cu includes this.

#include <bit>

#include "gpu/kernels/device_formulas.h"
#include "gpu/kernels/pair_forces.h"
#include "gpu/kernels/tile_rows.h"

namespace mdsim::kernels::MDSIM_BACKEND {

/// Charges and Lennard-Jones parameters of the i side carry the unit of the forces; a power of two changes no bits.
inline constexpr float pair_unit = 4096.0f;

enum class PairBarriers { all, none_before_reading };

/// What a kernel is made for. Without its barriers it is wrong; tests show that this is found.
template <template <class> class LjT, template <class> class CoulombT, bool everything_,
          PairBarriers barriers_ = PairBarriers::all>
struct PairForm {
    using Lj = LjT<DeviceOps>;
    using Coulomb = CoulombT<DeviceOps>;
    static constexpr bool everything = everything_;
    static constexpr PairBarriers barriers = barriers_;
};

/// What a tile shares: the atoms of its row, and at the end what each lane has added up for them.
struct RowAtoms {
    TileRow row;
    RowPoints points;
    float q[cluster_size];
    std::int32_t types[cluster_size];  // row in the table of pairs of types; negative: no parameters
};
struct RowForces {
    std::int32_t component[3 * cluster_size][gpu::tile_lanes];
};

/// The atom of a lane: one of an entry.
struct ColumnAtom {
    std::uint32_t cluster, x, y, z;
    float q;
    std::int32_t type;
    unsigned rows;  // bit k: counts with atom k of the row
};

/// What a lane adds up. Without a pair beyond pair_force_limit nothing here wraps: 16 addends to a row's atom, 8 to a
/// column's. With one the sums are of no use; unsigned, they may wrap.
template <class Form>
struct LaneSums {
    std::uint32_t x[cluster_size] = {}, y[cluster_size] = {}, z[cluster_size] = {};
    std::uint32_t column_x, column_y, column_z;
    std::uint32_t largest = 0;  // bits of the largest F^2; those of not-a-number are larger still
    std::int64_t totals[Form::everything ? PairSums::count : 1] = {};
};

MDSIM_ON_DEVICE void load_row(const PairForcesArgs& args, const TileRow& from, RowAtoms& row) {
    const int k = gpu::tile_lane();
    if (k == 0) row.row = from;
    load_points(args.points[from.cluster], row.points);
    if (k >= cluster_size) return;
    const ClusterParameters& c = args.parameters[from.cluster];
    row.q[k] = c.q[k] * pair_unit;
    row.types[k] = c.type[k] == args.type_count - 1 ? -1 : c.type[k] * args.type_count;
}

// Beyond the last entry a lane has an atom of the row's own cluster that counts with none.
MDSIM_ON_DEVICE ColumnAtom load_column(const PairForcesArgs& args, const TileRow& row, std::uint32_t entry) {
    const int place = gpu::tile_lane() % cluster_size;
    ColumnAtom j;
    j.cluster = entry < row.end ? args.pairs.entries[entry] : row.cluster;
    j.rows = entry < row.end ? 0xffu : 0u;
    if (entry < row.masked_end) {
        const std::uint64_t mask = args.pairs.masks[row.masks + entry - row.begin] >> place;
        j.rows = 0;
        for (int k = 0; k < cluster_size; ++k) j.rows |= static_cast<unsigned>(mask >> cluster_size * k & 1u) << k;
    }
    const ClusterPoints& p = args.points[j.cluster];
    const ClusterParameters& c = args.parameters[j.cluster];
    j.x = p.x[place];
    j.y = p.y[place];
    j.z = p.z[place];
    j.q = c.q[place];
    j.type = c.type[place];
    return j;
}

// Wraps around where a pair is out of range; such sums are of no use anyway.
MDSIM_ON_DEVICE void add_total(std::int64_t& total, float value) {
    const std::int64_t units = gpu::nearest_int64(value * 1048576.0f);  // 2^-12 to 2^-32 kJ/mol
    total = static_cast<std::int64_t>(static_cast<std::uint64_t>(total) + static_cast<std::uint64_t>(units));
}

template <class Form>
MDSIM_ON_DEVICE void add_pair(const PairForcesArgs& args, const RowAtoms& row, int k, const ColumnAtom& j,
                              LaneSums<Form>& sums) {
    const Distance d = distance(args.metric, row.points, k, j.x, j.y, j.z);
    if ((j.rows >> k & 1u) == 0 || !(d.squared < args.cutoff2)) return;
    const float inverse_r = gpu::inverse_sqrt(d.squared), qq = row.q[k] * j.q;
    float force = Form::Coulomb::force_over_r(args.coulomb, d.squared, inverse_r, qq);
    if constexpr (Form::everything) {
        add_total(sums.totals[PairSums::coulomb], Form::Coulomb::energy(args.coulomb, d.squared, inverse_r, qq));
    }
    if (row.types[k] >= 0) {
        const PairTypes c = args.types[row.types[k] + j.type];
        force += Form::Lj::force_over_r(args.lj, d.squared, inverse_r, c.six_c6, c.twelve_c12);
        if constexpr (Form::everything) {
            add_total(sums.totals[PairSums::lj],
                      Form::Lj::energy(args.lj, d.squared, inverse_r, c.six_c6, c.twelve_c12));
        }
    }
    const auto size = std::bit_cast<std::uint32_t>(force * force * d.squared);
    sums.largest = sums.largest < size ? size : sums.largest;
    const float fx = force * d.x, fy = force * d.y, fz = force * d.z;
    const auto x = static_cast<std::uint32_t>(gpu::nearest_int(fx));
    const auto y = static_cast<std::uint32_t>(gpu::nearest_int(fy));
    const auto z = static_cast<std::uint32_t>(gpu::nearest_int(fz));
    sums.x[k] += x;
    sums.y[k] += y;
    sums.z[k] += z;
    sums.column_x -= x;
    sums.column_y -= y;
    sums.column_z -= z;
    if constexpr (Form::everything) {
        add_total(sums.totals[PairSums::xx], fx * d.x);
        add_total(sums.totals[PairSums::yy], fy * d.y);
        add_total(sums.totals[PairSums::zz], fz * d.z);
        add_total(sums.totals[PairSums::xy], fx * d.y);
        add_total(sums.totals[PairSums::xz], fx * d.z);
        add_total(sums.totals[PairSums::yz], fy * d.z);
    }
}

// Component: of 24, axis by axis.
MDSIM_ON_DEVICE std::int32_t* word_of(ClusterForces& f, int component) {
    std::int32_t* const axis = component < cluster_size ? f.x : component < 2 * cluster_size ? f.y : f.z;
    return axis + component % cluster_size;
}

MDSIM_ON_DEVICE void add_force(const PairForcesArgs& args, std::uint32_t cluster, int component, std::int64_t sum) {
    // Nearest, so that small sums leave nothing for the second word.
    const std::int64_t high = (sum + (std::int64_t{1} << (args.high_shift - 1))) >> args.high_shift;
    const auto low = static_cast<std::int32_t>(sum - high * (std::int64_t{1} << args.high_shift));
    gpu::atomic_add(word_of(args.forces[cluster], component), low);
    if (high != 0) gpu::atomic_add(word_of(args.high[cluster], component), static_cast<std::int32_t>(high));
}

// The lanes' sums for the atoms of the row, through shared memory: lane c adds up component c, starting at its own
// column, so that lanes read different banks.
template <class Form>
MDSIM_ON_DEVICE void deliver_row(const PairForcesArgs& args, std::uint32_t cluster, const LaneSums<Form>& sums,
                                 RowForces& shared) {
    const int lane = gpu::tile_lane();
    MDSIM_UNROLL
    for (int k = 0; k < cluster_size; ++k) {
        shared.component[k][lane] = static_cast<std::int32_t>(sums.x[k]);
        shared.component[cluster_size + k][lane] = static_cast<std::int32_t>(sums.y[k]);
        shared.component[2 * cluster_size + k][lane] = static_cast<std::int32_t>(sums.z[k]);
    }
    if constexpr (Form::barriers == PairBarriers::all) gpu::tile_barrier();
    if (lane >= 3 * cluster_size) return;
    std::int64_t sum = 0;
    for (int m = 0; m < gpu::tile_lanes; ++m) sum += shared.component[lane][(lane + m) % gpu::tile_lanes];
    add_force(args, cluster, lane, sum);
}

template <class Form>
MDSIM_ON_DEVICE void deliver_totals(PairSums& to, const LaneSums<Form>& sums) {
    for (int t = 0; t < PairSums::count; ++t) {
        const std::int64_t low = gpu::tile_sum(sums.totals[t] & 0xffffffff);
        const std::int64_t high = gpu::tile_sum(sums.totals[t] >> 32);
        if (gpu::tile_lane() != 0) continue;
        gpu::atomic_add(&to.low[t], low);
        gpu::atomic_add(&to.high[t], high);
    }
}

template <class Form>
MDSIM_KERNEL MDSIM_LAUNCH_BOUNDS(pair_threads) add_pair_forces_kernel(PairForcesArgs args) {
    MDSIM_SHARED(RowAtoms, shared_atoms, [pair_tiles]);
    MDSIM_SHARED(RowForces, shared_forces, [pair_tiles]);
    const unsigned tile = gpu::thread_index() / gpu::tile_lanes, index = gpu::block_index() * pair_tiles + tile;
    if (index >= args.row_count) return;
    if (args.pairs.rows[index].begin == args.pairs.rows[index].end) return;
    RowAtoms& atoms = shared_atoms[tile];
    load_row(args, args.pairs.rows[index], atoms);
    gpu::tile_barrier();
    const TileRow& row = atoms.row;
    const int lane = gpu::tile_lane(), place = lane % cluster_size;
    LaneSums<Form> sums;
    for (std::uint32_t first = row.begin; first < row.end; first += entries_at_a_time) {
        const ColumnAtom j = load_column(args, row, first + static_cast<unsigned>(lane / cluster_size));
        sums.column_x = sums.column_y = sums.column_z = 0;
        MDSIM_UNROLL
        for (int k = 0; k < cluster_size; ++k) add_pair(args, atoms, k, j, sums);
        if ((sums.column_x | sums.column_y | sums.column_z) == 0) continue;  // no atom of the row within the cutoff
        add_force(args, j.cluster, place, static_cast<std::int32_t>(sums.column_x));
        add_force(args, j.cluster, cluster_size + place, static_cast<std::int32_t>(sums.column_y));
        add_force(args, j.cluster, 2 * cluster_size + place, static_cast<std::int32_t>(sums.column_z));
    }
    deliver_row(args, row.cluster, sums, shared_forces[tile]);
    if constexpr (Form::everything) deliver_totals(args.sums[index % pair_sum_parts], sums);
    constexpr float limit = pair_force_limit * pair_unit;
    if (sums.largest >= std::bit_cast<std::uint32_t>(limit * limit)) gpu::atomic_max(&args.flags->out_of_range, 1u);
}

/// One tile a row.
template <class Form>
void launch_pair_forces(gpu::Stream& stream, const PairForcesArgs& args) {
    constexpr gpu::Work work{"kernel add_pair_forces", "short-range forces"};
    gpu::launch(stream, work, add_pair_forces_kernel<Form>,
                {gpu::blocks_for(args.row_count, pair_tiles), pair_threads, 0}, args);
}

}  // namespace mdsim::kernels::MDSIM_BACKEND
