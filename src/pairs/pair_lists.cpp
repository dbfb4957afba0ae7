// SPDX-License-Identifier: Apache-2.0
#include "pairs/pair_lists.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "parallel/threads.h"

namespace mdsim {

namespace {

// A bound of how much the map from the cell `before` to the cell `now` can shorten a vector: the norm of the
// difference of the map from unity.
double strain(const Box& before, const Box& now) {
    double sum = 0.0;
    for (int row = 0; row < 3; ++row) {
        // Unit vector e_row in fractions of the old box, mapped to the new one.
        Vec3d unit{};
        unit[row] = 1.0;
        sum += norm2(now.to_cartesian(before.to_fractional(unit)) - unit);
    }
    return std::sqrt(sum);
}

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

}  // namespace

PairLists::PairLists(const PairListSettings& settings, ExclusionMap exclusions, std::vector<unsigned char> has_lj)
    : settings_(settings), exclusions_(std::move(exclusions)), has_lj_(std::move(has_lj)) {}

bool PairLists::all_pairs() const {
    return std::isinf(settings_.cutoff);
}

bool PairLists::holds(const PairPositions& now, const Box& cell, std::span<const LatticePoint> points, double radius,
                      double needed) const {
    const double room = (1.0 - strain(cell, now.cell)) * radius - needed;
    if (room < 0.0) return false;
    const LatticeMetric<float> metric(now.cell);
    std::vector<LargestMoves> of_thread(static_cast<std::size_t>(thread_count()));
    parallel_ranges(points.size(), 64, [&](int thread, std::size_t begin, std::size_t end) {
        of_thread[static_cast<std::size_t>(thread)] =
            largest_moves(metric, now.points.subspan(begin, end - begin), points.subspan(begin, end - begin));
    });
    LargestMoves moves;
    for (const LargestMoves& m : of_thread) moves.add(m);
    // Rounding of the distances in single precision, here and in the kernels: 1e-6 of the radius covers it.
    return static_cast<double>(moves.first) + static_cast<double>(moves.second) < room - 2e-6 * radius;
}

PairLists::Condition PairLists::condition(const PairPositions& now) const {
    if (!searched_cell_ || now.points.size() != searched_points_.size()) return Condition::search;
    if (!now.periodic && !(*searched_cell_ == now.cell)) return Condition::search;
    if (all_pairs()) return Condition::valid;
    if (outer_radius_ > 0.5 * now.cell.smallest_height()) return Condition::search;
    if (holds(now, *pruned_cell_, pruned_points_, inner_radius_, settings_.cutoff)) return Condition::valid;
    if (holds(now, *searched_cell_, searched_points_, outer_radius_, inner_radius_)) return Condition::prune;
    return Condition::search;
}

bool PairLists::update(const PairPositions& now) {
    const Condition found = condition(now);
    if (found == Condition::valid) return false;
    if (found == Condition::search) {
        search(now);
    } else if (settings_.pruning == Pruning::on_host) {
        clusters_.gather(now.points);
    }
    prune(now);
    return true;
}

void PairLists::search_anew(const PairPositions& now) {
    search(now);
    prune(now);
}

// A pair of clusters that were r apart at the last pruning has come no nearer than (1 - s) r less the displacements of
// both. So the row of a cluster needs shells up to the cutoff plus its own displacement and the largest of any.
void PairLists::gather(const PairPositions& now) {
    clusters_.gather(now.points);
    const std::span<const ClusterPoints> points = clusters_.points();
    shells_.assign(points.size(), shell_count);
    if (all_pairs()) return;
    const LatticeMetric<float> metric(now.cell);
    moves_.resize(points.size());
    parallel_ranges(points.size(), [&](int, std::size_t begin, std::size_t end) {
        const std::size_t count = end - begin;
        find_moves(metric, points.subspan(begin, count), std::span(pruned_clusters_).subspan(begin, count),
                   std::span(moves_).subspan(begin, count));
    });
    float largest = 0.0f;
    for (const float move : moves_) largest = std::max(largest, move);
    // The margin covers rounding in single precision.
    const double scale = 1.00001 / (1.0 - strain(*pruned_cell_, now.cell));
    const ShellEdges edges = shell_edges();
    for (std::size_t c = 0; c < points.size(); ++c) {
        const double reach = scale * (settings_.cutoff + static_cast<double>(moves_[c]) + static_cast<double>(largest));
        unsigned char shells = 1;
        while (shells < shell_count && reach * reach > static_cast<double>(edges[shells])) ++shells;
        shells_[c] = shells;
    }
}

// Lattice differences are minimum images for all distances below half the smallest height, so that no list may reach
// farther; in small boxes the skins shrink.
void PairLists::choose_radii(const Box& cell) {
    if (all_pairs()) return;
    const double height = cell.smallest_height();
    const double limit = 0.4999 * height;
    if (settings_.cutoff > 0.5 * height) refuse_box(settings_.cutoff, height);
    const double room = std::max(0.0, limit - settings_.cutoff);
    const double shrink = std::min(1.0, room / settings_.outer_skin);
    outer_radius_ = settings_.cutoff + shrink * settings_.outer_skin;
    inner_radius_ = settings_.cutoff + shrink * settings_.inner_skin;
}

void PairLists::search(const PairPositions& now) {
    choose_radii(now.cell);
    clusters_.build(now.cell, now.points, has_lj_);
    real_rows_.assign(clusters_.size(), 0);
    for (const std::uint32_t slot : clusters_.slots()) ++real_rows_[slot / cluster_size];
    search_outer({.clusters = clusters_,
                  .exclusions = exclusions_,
                  .cell = now.cell,
                  .radius = outer_radius_,
                  .all_pairs = all_pairs()},
                 outer_);
    searched_points_.assign(now.points.begin(), now.points.end());
    searched_cell_ = now.cell;
    ++searches_;
}

ShellEdges PairLists::shell_edges() const {
    ShellEdges edges;
    edges.fill(1e30f);
    if (all_pairs()) return edges;
    const auto squared = [](double radius) { return radius * radius * 1.000002; };
    const double first = squared(settings_.cutoff), last = squared(inner_radius_);
    for (int k = 0; k <= shell_count; ++k) {
        edges[static_cast<std::size_t>(k)] = static_cast<float>(first + (last - first) * k / shell_count);
    }
    return edges;
}

void PairLists::prune(const PairPositions& now) {
    if (settings_.pruning == Pruning::on_host) make_chunks(now.cell);
    pruned_points_.assign(now.points.begin(), now.points.end());
    pruned_cell_ = now.cell;
    ++prunings_;
}

void PairLists::make_chunks(const Box& cell) {
    chunks_.resize(outer_.size());
    const PruneArguments arguments{.points = clusters_.points().data(),
                                   .bounds = clusters_.bounds().data(),
                                   .real_rows = real_rows_.data(),
                                   .metric = LatticeMetric<float>(cell),
                                   .edges = shell_edges()};
    parallel_ranges(outer_.size(), [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c) {
            prune_chunk(arguments, outer_[c], chunks_[c]);
            if (settings_.random_order_seed) shuffle(c);
        }
    });
    divide();
    pruned_clusters_.assign(clusters_.points().begin(), clusters_.points().end());
}

void PairLists::divide() {
    const std::size_t threads = static_cast<std::size_t>(thread_count());
    std::vector<std::size_t> sums(chunks_.size() + 1, 0);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const PairChunk& chunk = chunks_[c];
        sums[c + 1] = sums[c] + chunk.plain.size() + chunk.masked.size() + 4 * chunk.rows.size();
    }
    parts_.assign(threads + 1, chunks_.size());
    for (std::size_t t = 0; t < threads; ++t) {
        const std::size_t target = sums.back() * t / threads;
        parts_[t] = static_cast<std::size_t>(std::lower_bound(sums.begin(), sums.end(), target) - sums.begin());
    }
    touched_.resize(threads);
    parallel_ranges(threads, [&](int, std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            touched_[t].assign(chunks_.size(), 0);
            for (std::size_t c = parts_[t]; c < parts_[t + 1]; ++c) {
                touched_[t][c] = 1;
                for (const std::uint32_t j : chunks_[c].plain) touched_[t][j / chunk_clusters] = 1;
                for (const MaskedEntry& e : chunks_[c].masked) touched_[t][e.cluster / chunk_clusters] = 1;
            }
        }
    });
}

// Any order will do for the sums; this shows that it does.
void PairLists::shuffle(std::size_t chunk) {
    std::uint64_t state = *settings_.random_order_seed + 0x9e3779b97f4a7c15ULL * (chunk + 1);
    const auto below = [&](std::size_t n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;  // Knuth, MMIX
        return static_cast<std::size_t>((state >> 33) % n);
    };
    const auto mix = [&](auto first, auto last) {
        for (auto n = last - first; n > 1; --n)
            std::swap(first[n - 1], first[static_cast<std::ptrdiff_t>(below(static_cast<std::size_t>(n)))]);
    };
    PairChunk& c = chunks_[chunk];
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
