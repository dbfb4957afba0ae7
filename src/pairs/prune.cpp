// SPDX-License-Identifier: Apache-2.0
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pairs/prune.cpp"
// The next header includes this file again for every instruction set, and must come first.
// clang-format off
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on

#include "pairs/prune.h"

#include <algorithm>
#include <cmath>

#include "parallel/threads.h"

HWY_BEFORE_NAMESPACE();
namespace mdsim::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
#include "pairs/cluster_simd.inl"

using F = hn::ScalableTag<float>;
using I = hn::RebindToSigned<F>;
using Shape = ClusterShape<F>;

/// The coordinates of one group, row by row.
struct GroupRows {
    hn::Vec<I> x[Shape::vectors], y[Shape::vectors], z[Shape::vectors];

    HWY_INLINE void load(const ClusterPoints& p, int half) {
        for (int v = 0; v < Shape::vectors; ++v) {
            const int row = half * group_rows + v * Shape::rows;
            x[v] = spread_rows(I(), p.x, row);
            y[v] = spread_rows(I(), p.y, row);
            z[v] = spread_rows(I(), p.z, row);
        }
    }
};

HWY_INLINE hn::Vec<F> nearest(const GroupRows& rows, const LatticeMetric<float>& metric, hn::Vec<I> x, hn::Vec<I> y,
                              hn::Vec<I> z) {
    const F f;
    auto least = hn::Set(f, 1e30f);
#pragma GCC unroll 4
    for (int v = 0; v < Shape::vectors; ++v) {
        const auto dx = hn::ConvertTo(f, hn::Sub(rows.x[v], x));
        const auto dy = hn::ConvertTo(f, hn::Sub(rows.y[v], y));
        const auto dz = hn::ConvertTo(f, hn::Sub(rows.z[v], z));
        least = hn::Min(least, squared_distance(f, metric, dx, dy, dz));
    }
    return least;
}

/// For both groups of a cluster: 0 where an atom of cluster j is within the cutoff, else the number of the shell of the
/// nearest one; one more than there are beyond the list.
struct Shells {
    std::size_t of_group[2];
};

HWY_INLINE Shells find_shells(const GroupRows* groups, const PruneArguments& a, const ClusterPoints& j) {
    const F f;
    auto least0 = hn::Set(f, 1e30f), least1 = least0;
    for (int part = 0; part < Shape::parts; ++part) {
        const auto x = load_cluster(I(), j.x, part);
        const auto y = load_cluster(I(), j.y, part);
        const auto z = load_cluster(I(), j.z, part);
        least0 = hn::Min(least0, nearest(groups[0], a.metric, x, y, z));
        least1 = hn::Min(least1, nearest(groups[1], a.metric, x, y, z));
    }
    Shells shells{};
#pragma GCC unroll 4
    for (const float edge : a.edges) {
        shells.of_group[0] += hn::AllFalse(f, hn::Lt(least0, hn::Set(f, edge)));
        shells.of_group[1] += hn::AllFalse(f, hn::Lt(least1, hn::Set(f, edge)));
    }
    return shells;
}

/// What one outer row leaves for one group, by shell. Entries are written without branches, those beyond the list too.
struct Kept {
    std::array<std::vector<std::uint32_t>, shell_count + 2> plain;
    std::array<std::size_t, shell_count + 2> count{};
    std::vector<MaskedEntry> masked;

    void resize(std::size_t entries) {
        for (auto& p : plain) {
            if (p.size() < entries) p.resize(2 * entries);
        }
        count.fill(0);
        masked.clear();
    }
    void append(PairRow row, PairChunk& inner) const {
        row.masked_begin = static_cast<std::uint32_t>(inner.masked.size());
        row.begin = static_cast<std::uint32_t>(inner.plain.size());
        inner.masked.insert(inner.masked.end(), masked.begin(), masked.end());
        row.masked_end = static_cast<std::uint32_t>(inner.masked.size());
        for (std::size_t k = 0; k <= shell_count; ++k) {
            inner.plain.insert(inner.plain.end(), plain[k].data(), plain[k].data() + count[k]);
            row.ends[k] = static_cast<std::uint32_t>(inner.plain.size());
        }
        if (row.end() > row.begin || row.masked_end > row.masked_begin) inner.rows.push_back(row);
    }
};

void prune_row(const PruneArguments& a, const OuterRow& row, const OuterChunk& outer, const GroupRows* groups,
               Kept* kept) {
    std::uint32_t* to[2][shell_count + 2];
    for (int h = 0; h < 2; ++h) {
        kept[h].resize(row.end - row.begin);
        for (std::size_t k = 0; k < shell_count + 2; ++k) to[h][k] = kept[h].plain[k].data();
    }
    for (std::uint32_t k = row.begin; k < row.end; ++k) {
        const std::uint32_t j = outer.plain[k];
        const Shells shells = find_shells(groups, a, a.points[j]);
        for (int h = 0; h < 2; ++h) *to[h][shells.of_group[h]]++ = j;
    }
    for (int h = 0; h < 2; ++h) {
        for (std::size_t k = 0; k < shell_count + 2; ++k) {
            kept[h].count[k] = static_cast<std::size_t>(to[h][k] - kept[h].plain[k].data());
        }
    }
    for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
        const MaskedPair& pair = outer.masked[k];
        const Shells shells = find_shells(groups, a, a.points[pair.cluster]);
        for (int h = 0; h < 2; ++h) {
            const auto mask = static_cast<std::uint32_t>(pair.mask >> (32 * h));
            if (shells.of_group[h] <= shell_count && mask != 0) kept[h].masked.push_back({pair.cluster, mask});
        }
    }
}

/// How far the image through which an atom meets others is from that of its unwrapped place: see image_along.
HWY_INLINE hn::Vec<I> own_shift(const ClusterBounds& b, hn::Vec<I> x, hn::Vec<I> y, hn::Vec<I> z) {
    const I n;
    const auto along = [&](hn::Vec<I> a, std::size_t axis) {
        const auto center = hn::Set(n, static_cast<std::int32_t>(b.center[axis]));
        return hn::Mul(borrow(n, a, center), hn::Set(n, shift_step[axis]));
    };
    return hn::Add(along(x, 0), hn::Add(along(y, 1), along(z, 2)));
}

/// The images through which the atoms of a group and a cluster meet, where they are within the list radius; else -1.
struct GroupShifts {
    alignas(64) std::int32_t of_pair[group_rows * cluster_size];
};

HWY_INLINE void find_shifts(const PruneArguments& a, const GroupRows& rows, const ClusterBounds& bounds,
                            std::uint32_t cluster, GroupShifts& out) {
    const F f;
    const I n;
    const ClusterPoints& j = a.points[cluster];
    const auto step = [&](std::size_t axis) { return hn::Set(n, shift_step[axis]); };
    for (int part = 0; part < Shape::parts; ++part) {
        const auto x = load_cluster(n, j.x, part), y = load_cluster(n, j.y, part), z = load_cluster(n, j.z, part);
        const auto of_column = hn::Add(hn::Set(n, no_shift), own_shift(a.bounds[cluster], x, y, z));
        for (int v = 0; v < Shape::vectors; ++v) {
            auto shift = hn::Sub(of_column, own_shift(bounds, rows.x[v], rows.y[v], rows.z[v]));
            shift = hn::Add(shift, hn::Mul(borrow(n, rows.x[v], x), step(0)));
            shift = hn::Add(shift, hn::Mul(borrow(n, rows.y[v], y), step(1)));
            shift = hn::Add(shift, hn::Mul(borrow(n, rows.z[v], z), step(2)));
            const auto dx = hn::ConvertTo(f, hn::Sub(rows.x[v], x));
            const auto dy = hn::ConvertTo(f, hn::Sub(rows.y[v], y));
            const auto dz = hn::ConvertTo(f, hn::Sub(rows.z[v], z));
            const auto inside = hn::Lt(squared_distance(f, a.metric, dx, dy, dz), hn::Set(f, a.edges.back()));
            shift = hn::IfThenElse(hn::RebindMask(n, inside), shift, hn::Set(n, -1));
            hn::Store(shift, n, out.of_pair + v * Shape::rows * cluster_size + part * Shape::lanes);
        }
    }
}

/// Entries of one group whose image is found only now.
struct ShiftedEntry {
    std::int32_t shift;
    std::size_t shell;
    MaskedEntry entry;
};

// Where all pairs within reach meet through one image, the mask stays as it was, so that most entries stay whole.
void split_by_shift(const GroupShifts& shifts, std::size_t shell, MaskedEntry entry, std::vector<ShiftedEntry>& out) {
    std::int32_t low = INT32_MAX, high = -1;
    for (const std::int32_t shift : shifts.of_pair) {
        low = std::min(low, shift < 0 ? INT32_MAX : shift);
        high = std::max(high, shift);
    }
    if (low == high) out.push_back({low, shell, entry});
    if (low >= high) return;
    for (std::int32_t shift = low; shift <= high; ++shift) {
        std::uint32_t mask = 0;
        for (int k = 0; k < group_rows * cluster_size; ++k) {
            mask |= static_cast<std::uint32_t>(shifts.of_pair[k] == shift) << k;
        }
        mask &= entry.mask;
        if (mask != 0) out.push_back({shift, shell, {entry.cluster, mask}});
    }
}

void append_shifted(std::uint32_t group, std::vector<ShiftedEntry>& entries, Kept& kept, PairChunk& inner) {
    std::sort(entries.begin(), entries.end(), [](const ShiftedEntry& a, const ShiftedEntry& b) {
        return a.shift != b.shift ? a.shift < b.shift : a.entry.cluster < b.entry.cluster;
    });
    for (std::size_t k = 0; k < entries.size();) {
        const std::int32_t shift = entries[k].shift;
        kept.resize(entries.size());
        for (; k < entries.size() && entries[k].shift == shift; ++k) {
            const auto& [same, shell, entry] = entries[k];
            if (entry.mask == ~0u) {
                kept.plain[shell][kept.count[shell]++] = entry.cluster;
            } else {
                kept.masked.push_back(entry);
            }
        }
        kept.append({.group = group, .shift = shift}, inner);
    }
}

// The rows of one cluster with those that it meets through images to be found pair by pair.
void prune_ambiguous(const PruneArguments& a, const OuterRow& row, const OuterChunk& outer, const GroupRows* groups,
                     std::vector<ShiftedEntry>* found) {
    for (int h = 0; h < 2; ++h) found[h].clear();
    const auto add = [&](std::uint32_t cluster, std::uint64_t mask) {
        const Shells shells = find_shells(groups, a, a.points[cluster]);
        for (int h = 0; h < 2; ++h) {
            const auto of_group = static_cast<std::uint32_t>(mask >> (32 * h));
            if (shells.of_group[h] > shell_count || of_group == 0) continue;
            GroupShifts shifts;
            find_shifts(a, groups[h], a.bounds[row.cluster], cluster, shifts);
            split_by_shift(shifts, shells.of_group[h], {cluster, of_group}, found[h]);
        }
    };
    for (std::uint32_t k = row.begin; k < row.end; ++k) add(outer.plain[k], ~0ULL);
    for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
        add(outer.masked[k].cluster, outer.masked[k].mask);
    }
}

void prune_chunk(const PruneArguments& a, const OuterChunk& outer, PairChunk& inner) {
    inner.rows.clear();
    inner.masked.clear();
    inner.plain.clear();
    Kept kept[2];
    std::vector<ShiftedEntry> found[2];
    for (const OuterRow& row : outer.rows) {
        GroupRows groups[2];
        groups[0].load(a.points[row.cluster], 0);
        groups[1].load(a.points[row.cluster], 1);
        const bool ambiguous = row.shift == ambiguous_shift;
        ambiguous ? prune_ambiguous(a, row, outer, groups, found) : prune_row(a, row, outer, groups, kept);
        // A group of padding has no rows.
        for (std::uint32_t h = 0; h < (a.real_rows[row.cluster] > group_rows ? 2 : 1); ++h) {
            const std::uint32_t group = 2 * row.cluster + h;
            if (ambiguous) {
                append_shifted(group, found[h], kept[h], inner);
            } else {
                kept[h].append({.group = group, .shift = row.shift}, inner);
            }
        }
    }
}

void find_moves(const LatticeMetric<float>& metric, std::span<const ClusterPoints> now,
                std::span<const ClusterPoints> before, std::span<float> moves) {
    const hn::CappedTag<float, cluster_size> f;
    const hn::RebindToSigned<decltype(f)> n;
    constexpr auto lanes = hn::MaxLanes(f);
    for (std::size_t c = 0; c < now.size(); ++c) {
        auto most = hn::Zero(f);
        for (std::size_t k = 0; k < cluster_size; k += lanes) {
            const auto along = [&](const std::uint32_t* a, const std::uint32_t* b) HWY_ATTR {
                return hn::ConvertTo(f, hn::Sub(hn::Load(n, reinterpret_cast<const std::int32_t*>(a) + k),
                                                hn::Load(n, reinterpret_cast<const std::int32_t*>(b) + k)));
            };
            most = hn::Max(most, squared_distance(f, metric, along(now[c].x, before[c].x), along(now[c].y, before[c].y),
                                                  along(now[c].z, before[c].z)));
        }
        moves[c] = std::sqrt(hn::GetLane(hn::MaxOfLanes(f, most)));
    }
}

LargestMoves largest_moves(const LatticeMetric<float>& metric, std::span<const LatticePoint> now,
                           std::span<const LatticePoint> before) {
    const F f;
    const hn::RebindToUnsigned<F> u;
    const I i;
    constexpr std::size_t lanes = static_cast<std::size_t>(Shape::lanes);
    auto first = hn::Zero(f), second = hn::Zero(f);
    std::size_t k = 0;
    const auto* a = reinterpret_cast<const std::uint32_t*>(now.data());
    const auto* b = reinterpret_cast<const std::uint32_t*>(before.data());
    for (; k + lanes <= now.size(); k += lanes) {
        hn::Vec<decltype(u)> ax, ay, az, bx, by, bz;
        hn::LoadInterleaved3(u, a + 3 * k, ax, ay, az);
        hn::LoadInterleaved3(u, b + 3 * k, bx, by, bz);
        const auto r2 = squared_distance(f, metric, hn::ConvertTo(f, hn::BitCast(i, hn::Sub(ax, bx))),
                                         hn::ConvertTo(f, hn::BitCast(i, hn::Sub(ay, by))),
                                         hn::ConvertTo(f, hn::BitCast(i, hn::Sub(az, bz))));
        second = hn::Max(second, hn::Min(first, r2));
        first = hn::Max(first, r2);
    }
    alignas(64) float firsts[lanes], seconds[lanes];
    hn::Store(first, f, firsts);
    hn::Store(second, f, seconds);
    float best[2] = {0.0f, 0.0f};
    const auto take = [&](float r2) {
        best[1] = std::max(best[1], std::min(best[0], r2));
        best[0] = std::max(best[0], r2);
    };
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        take(firsts[lane]);
        take(seconds[lane]);
    }
    for (; k < now.size(); ++k) {
        const auto dx = static_cast<float>(lattice_difference(now[k].x, before[k].x));
        const auto dy = static_cast<float>(lattice_difference(now[k].y, before[k].y));
        const auto dz = static_cast<float>(lattice_difference(now[k].z, before[k].z));
        const float x = dx * metric.xx + dy * metric.yx + dz * metric.zx;
        const float y = dy * metric.yy + dz * metric.zy;
        const float z = dz * metric.zz;
        take(x * x + y * y + z * z);
    }
    return {std::sqrt(best[0]), std::sqrt(best[1])};
}

}  // namespace mdsim::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mdsim {

HWY_EXPORT(prune_chunk);
HWY_EXPORT(find_moves);
HWY_EXPORT(largest_moves);

void prune_chunk(const PruneArguments& arguments, const OuterChunk& outer, PairChunk& inner) {
    HWY_DYNAMIC_DISPATCH(prune_chunk)(arguments, outer, inner);
}

void find_moves(const LatticeMetric<float>& metric, std::span<const ClusterPoints> now,
                std::span<const ClusterPoints> before, std::span<float> moves) {
    HWY_DYNAMIC_DISPATCH(find_moves)(metric, now, before, moves);
}

LargestMoves largest_moves(const LatticeMetric<float>& metric, std::span<const LatticePoint> now,
                           std::span<const LatticePoint> before) {
    std::vector<LargestMoves> of_thread(static_cast<std::size_t>(thread_count()));
    parallel_ranges(before.size(), 64, [&](int thread, std::size_t begin, std::size_t end) {
        of_thread[static_cast<std::size_t>(thread)] = HWY_DYNAMIC_DISPATCH(largest_moves)(
            metric, now.subspan(begin, end - begin), before.subspan(begin, end - begin));
    });
    LargestMoves moves;
    for (const LargestMoves& m : of_thread) moves.add(m);
    return moves;
}

void LargestMoves::add(const LargestMoves& other) {
    second = std::max({second, other.second, std::min(first, other.first)});
    first = std::max(first, other.first);
}

}  // namespace mdsim
#endif
