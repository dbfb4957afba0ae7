// SPDX-License-Identifier: Apache-2.0
#include "pairs/pair_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "core/arrays/resize_tightly.h"
#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// Of the cell, that a list of ranks endures until there is a new halo: far more than a barostat does meanwhile.
constexpr double shared_strain = 0.005;

// The box of the input has room for the cutoff (MD450), so that this one has shrunk since.
[[noreturn]] void refuse_box(double cutoff, double height) {
    throw Error(ExitCode::unstable,
                Problem{.code = "MD506",
                        .what = fmt::format("the box has become too small for the cutoff of {:.4g} nm", cutoff),
                        .why = fmt::format("its opposite faces are {:.4f} nm apart at least, less than twice the "
                                           "cutoff: an atom would meet two images of another",
                                           height),
                        .remedy = "a start nearer to the density that the pressure asks for (a longer equilibration, "
                                  "more solvent), a larger box, or a shorter forces.cutoff"});
}

// How far two atoms together may have moved since a list of this radius was made in a cell, for none to be missed that
// is now within what is needed.
double room_of(const Box& before, const Box& now, double radius, double needed) {
    return (before == now ? 1.0 : 1.0 - strain(before, now)) * radius - needed;
}

// Rounding of the distances in single precision, here and in the kernels: 1e-6 of the radius covers it. Where nothing
// has moved there is no need for room either.
bool within_room(const LargestMoves& moves, const Box& before, const Box& now, double radius, double needed) {
    const double moved = static_cast<double>(moves.first) + static_cast<double>(moves.second);
    const double room = room_of(before, now, radius, needed);
    return room >= 0.0 && (moved < room - 2e-6 * radius || (moved == 0.0 && before == now));
}

// Chunks cut into one contiguous part a thread.
void divide(PairList& list) {
    const std::size_t threads = static_cast<std::size_t>(thread_count()), chunks = list.chunks.size();
    std::vector<std::size_t> sums(chunks + 1, 0);
    for (std::size_t c = 0; c < chunks; ++c) {
        const PairChunk& chunk = list.chunks[c];
        sums[c + 1] = sums[c] + chunk.plain.size() + chunk.masked.size() + 4 * chunk.rows.size();
    }
    list.parts.assign(threads + 1, chunks);
    for (std::size_t t = 0; t < threads; ++t) {
        const std::size_t target = sums.back() * t / threads;
        list.parts[t] = static_cast<std::size_t>(std::lower_bound(sums.begin(), sums.end(), target) - sums.begin());
    }
    list.touched.resize(threads);
    parallel_ranges(threads, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            std::vector<unsigned char>& touched = list.touched[t];
            touched.assign(chunks, 0);
            for (std::size_t c = list.parts[t]; c < list.parts[t + 1]; ++c) {
                touched[c] = 1;
                for (const std::uint32_t j : list.chunks[c].plain) touched[j / chunk_clusters] = 1;
                for (const MaskedEntry& e : list.chunks[c].masked) touched[e.cluster / chunk_clusters] = 1;
            }
        }
    });
}

}  // namespace

PairLists::PairLists(const PairListSettings& settings, ExclusionMap exclusions, std::vector<unsigned char> has_lj)
    : settings_(settings),
      exclusions_(std::move(exclusions)),
      has_lj_(std::move(has_lj)),
      zones_(AtomZones::of_one_rank(has_lj_.size())) {}

void PairLists::assign(ExclusionMap exclusions, std::vector<unsigned char> has_lj, AtomZones zones) {
    exclusions_ = std::move(exclusions);
    has_lj_ = std::move(has_lj);
    zones_ = std::move(zones);
    searched_cell_.reset();
}

bool PairLists::all_pairs() const {
    return std::isinf(settings_.cutoff);
}

double PairLists::reach(const Box& cell) const {
    return all_pairs() ? settings_.cutoff : choose_radii(cell).outer;
}

// Two atoms may both move that far, each measured a little differently from how it is done here. What a strained cell
// takes of it shows when the cell is known (ForceSet::room).
double PairLists::farthest_move(const Box& cell) const {
    if (all_pairs()) return std::numeric_limits<double>::infinity();
    const Radii radii = choose_radii(cell);
    return std::max(0.0, 0.4999 * (radii.outer - radii.inner));
}

std::size_t PairLists::atoms_of(PairSet set) const {
    return set == PairSet::home ? zones_.home : has_lj_.size();
}

std::size_t PairLists::clusters_of(PairSet set) const {
    return set == PairSet::home ? clusters_.home() : clusters_.size();
}

bool PairLists::holds(const PairPositions& now, const Box& cell, std::span<const LatticePoint> points, double radius,
                      double needed) const {
    if (room_of(cell, now.cell, radius, needed) < 0.0) return false;
    const LargestMoves moves = largest_moves(LatticeMetric<float>(now.cell), now.points.first(points.size()), points);
    return within_room(moves, cell, now.cell, radius, needed);
}

bool PairLists::lost(const PairPositions& now) const {
    if (!searched_cell_ || now.points.size() != searched_atoms_) return true;
    if (!now.periodic && !(*searched_cell_ == now.cell)) return true;
    if (all_pairs()) return false;
    if (radii_.outer > 0.5 * now.cell.smallest_height()) return true;
    return shared() && strain(*searched_cell_, now.cell) > shared_strain;
}

PairLists::Condition PairLists::condition(PairSet set, const PairPositions& now) const {
    if (lost(now)) return Condition::search;
    if (all_pairs()) return Condition::valid;
    const Kept& k = kept(set);
    const auto searched = std::span(searched_points_).first(atoms_of(set));
    if (holds(now, *k.cell, k.points, radii_.inner, settings_.cutoff)) return Condition::valid;
    if (holds(now, *searched_cell_, searched, radii_.outer, radii_.inner)) return Condition::prune;
    return Condition::search;
}

bool PairLists::expired(const PairPositions& now) const {
    return shared() ? lost(now) : condition(now) != Condition::valid;
}

PairLists::Condition PairLists::condition(const PairPositions& now) const {
    MDSIM_EXPECT(!shared());
    const Condition of_home = condition(PairSet::home, now);
    return has_halo() ? std::max(of_home, condition(PairSet::halo, now)) : of_home;
}

bool PairLists::update(PairSet set, const PairPositions& now) {
    if (shared()) choose_radii(now.cell);  // the box must still be large enough
    if (!moves_from_points()) return prune_if_moved(set, now);
    const Condition found = condition(set, now);
    if (found == Condition::valid) return false;
    if (found == Condition::search && !shared()) {
        search_anew(now);
        return true;
    }
    if (settings_.pruning == Pruning::on_host) gather_points(set, now);
    prune(set, now);
    return true;
}

// Two atoms that a list may lack can be of one cluster, where that is as long as the box, so the largest move counts
// twice.
bool PairLists::prune_if_moved(PairSet set, const PairPositions& now) {
    gather_points(set, now);
    if (all_pairs()) return false;
    find_moves_of(set, now.cell);
    LargestMoves largest;
    for (const float move : moves_) largest.first = std::max(largest.first, move);
    largest.second = largest.first;
    if (within_room(largest, *kept(set).cell, now.cell, radii_.inner, settings_.cutoff)) return false;
    prune(set, now);
    std::fill(moves_.begin(), moves_.end(), 0.0f);
    return true;
}

std::span<const ClusterPoints> PairLists::points_of(PairSet set) {
    const auto all = clusters_.points().first(clusters_of(set));
    const ListClusters& clusters = kept(set).list.clusters;
    if (clusters.members.empty()) return all;
    resize_tightly(member_points_, clusters.count);
    for (std::size_t m = 0; m < clusters.count; ++m) member_points_[m] = all[clusters[m]];
    return member_points_;
}

void PairLists::find_moves_of(PairSet set, const Box& cell) {
    const auto now = points_of(set), before = std::span<const ClusterPoints>(kept(set).clusters);
    const LatticeMetric<float> metric(cell);
    resize_tightly(moves_, now.size());
    parallel_ranges(now.size(), [&](int, std::size_t begin, std::size_t end) {
        const std::size_t count = end - begin;
        find_moves(metric, now.subspan(begin, count), before.subspan(begin, count),
                   std::span(moves_).subspan(begin, count));
    });
}

// Only clusters near the halo have to do with it. Each once, ascending; none where the list has no pairs.
void PairLists::find_members(PairList& list) const {
    std::vector<unsigned char> there(clusters_.size(), 0);
    for (const OuterChunk& chunk : list.outer) {
        for (const OuterRow& row : chunk.rows) there[row.cluster] = 1;
        for (const std::uint32_t j : chunk.plain) there[j] = 1;
        for (const MaskedPair& pair : chunk.masked) there[pair.cluster] = 1;
    }
    auto& [count, members, first] = list.clusters;
    members.clear();
    first.clear();
    for (std::uint32_t c = 0; c < there.size(); ++c) {
        if (c % chunk_clusters == 0) first.push_back(static_cast<std::uint32_t>(members.size()));
        if (there[c]) members.push_back(c);
    }
    first.push_back(static_cast<std::uint32_t>(members.size()));
    count = members.size();
}

bool PairLists::update(const PairPositions& now) {
    const bool home = update(PairSet::home, now);
    return (has_halo() && update(PairSet::halo, now)) || home;
}

void PairLists::search_anew(const PairPositions& now) {
    search(now);
    prune(PairSet::home, now);
    if (has_halo()) prune(PairSet::halo, now);
}

// Home clusters are there already when those of the halo follow.
void PairLists::gather_points(PairSet set, const PairPositions& now) {
    clusters_.gather(now.points, set == PairSet::home ? 0 : clusters_.home(), clusters_of(set));
}

// A pair of clusters that were r apart at the last pruning has come no nearer than (1 - s) r less the displacements of
// both. So the row of a cluster needs shells up to the cutoff plus its own displacement and the largest of any.
void PairLists::gather(PairSet set, const PairPositions& now) {
    Kept& k = kept(set);
    if (moves_from_points()) gather_points(set, now);
    k.list.shells.assign(clusters_of(set), shell_count);
    if (all_pairs()) return;
    if (moves_from_points()) find_moves_of(set, now.cell);
    float largest = 0.0f;
    for (const float move : moves_) largest = std::max(largest, move);
    // The margin covers rounding in single precision.
    const double scale = 1.00001 / (1.0 - strain(*k.cell, now.cell));
    const ShellEdges edges = shell_edges();
    const ListClusters& clusters = k.list.clusters;
    for (std::size_t m = 0; m < moves_.size(); ++m) {
        const double reach = scale * (settings_.cutoff + static_cast<double>(moves_[m]) + static_cast<double>(largest));
        unsigned char shells = 1;
        while (shells < shell_count && reach * reach > static_cast<double>(edges[shells])) ++shells;
        k.list.shells[clusters[m]] = shells;
    }
}

// Lattice differences are minimum images for all distances below half the smallest height, so that no list may reach
// farther; in small boxes the skins shrink.
PairLists::Radii PairLists::choose_radii(const Box& cell) const {
    if (all_pairs()) return {};
    const double height = cell.smallest_height();
    const double limit = 0.4999 * height;
    if (settings_.cutoff > 0.5 * height) refuse_box(settings_.cutoff, height);
    const double room = std::max(0.0, limit - settings_.cutoff);
    const double shrink = std::min(1.0, room / settings_.outer_skin);
    return {.inner = settings_.cutoff + shrink * settings_.inner_skin,
            .outer = settings_.cutoff + shrink * settings_.outer_skin};
}

void PairLists::search(const PairPositions& now) {
    radii_ = choose_radii(now.cell);
    clusters_.build(now.cell, now.points, has_lj_, zones_);
    real_rows_.assign(clusters_.size(), 0);
    for (const std::uint32_t slot : clusters_.slots()) ++real_rows_[slot / cluster_size];
    search_outer({.clusters = clusters_,
                  .exclusions = exclusions_,
                  .cell = now.cell,
                  .radius = radii_.outer,
                  .all_pairs = all_pairs()},
                 kept(PairSet::home).list.outer, kept(PairSet::halo).list.outer);
    for (const PairSet set : {PairSet::home, PairSet::halo}) kept(set).list.clusters.count = clusters_of(set);
    if (shared()) find_members(kept(PairSet::halo).list);
    if (moves_from_points()) assign_tightly(searched_points_, now.points.begin(), now.points.end());
    searched_cell_ = now.cell;
    searched_atoms_ = now.points.size();
    ++searches_;
}

ShellEdges PairLists::shell_edges() const {
    ShellEdges edges;
    edges.fill(1e30f);
    if (all_pairs()) return edges;
    const auto squared = [](double radius) { return radius * radius * 1.000002; };
    const double first = squared(settings_.cutoff), last = squared(radii_.inner);
    for (int k = 0; k <= shell_count; ++k) {
        edges[static_cast<std::size_t>(k)] = static_cast<float>(first + (last - first) * k / shell_count);
    }
    return edges;
}

void PairLists::prune(PairSet set, const PairPositions& now) {
    Kept& k = kept(set);
    if (settings_.pruning == Pruning::on_host) {
        make_chunks(k.list, now.cell);
        const auto clusters = points_of(set);
        assign_tightly(k.clusters, clusters.begin(), clusters.end());
    }
    if (moves_from_points()) {
        const auto points = now.points.first(atoms_of(set));
        assign_tightly(k.points, points.begin(), points.end());
    }
    k.cell = now.cell;
    ++prunings_;
}

void PairLists::make_chunks(PairList& list, const Box& cell) const {
    list.chunks.resize(list.outer.size());
    const PruneArguments arguments{.points = clusters_.points().data(),
                                   .bounds = clusters_.bounds().data(),
                                   .real_rows = real_rows_.data(),
                                   .metric = LatticeMetric<float>(cell),
                                   .edges = shell_edges()};
    parallel_ranges(list.outer.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            PairChunk& chunk = list.chunks[c];
            prune_chunk(arguments, list.outer[c], chunk);
            if (settings_.random_order_seed) shuffle(chunk, c);
            trim(chunk.rows);
            trim(chunk.masked);
            trim(chunk.plain);
        }
    });
    divide(list);
}

// Any order will do for the sums; this shows that it does.
void PairLists::shuffle(PairChunk& c, std::size_t number) const {
    std::uint64_t state = *settings_.random_order_seed + 0x9e3779b97f4a7c15ULL * (number + 1);
    const auto below = [&](std::size_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth, MMIX
        return static_cast<std::size_t>((state >> 33) % n);
    };
    const auto mix = [&](auto first, auto last) {
        for (auto n = last - first; n > 1; --n)
            std::swap(first[n - 1], first[static_cast<std::ptrdiff_t>(below(static_cast<std::size_t>(n)))]);
    };
    for (const PairRow& row : c.rows) {
        std::uint32_t begin = row.begin;
        for (const std::uint32_t end : row.ends) {
            mix(c.plain.begin() + begin, c.plain.begin() + end);
            begin = end;
        }
        mix(c.masked.begin() + row.masked_begin, c.masked.begin() + row.masked_end);
    }
    mix(c.rows.begin(), c.rows.end());
}

}  // namespace mdsim
