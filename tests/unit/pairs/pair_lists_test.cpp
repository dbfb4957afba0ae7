// SPDX-License-Identifier: Apache-2.0
#include "pairs/pair_lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "parallel/threads.h"

using namespace mdsim;

namespace {

struct Atoms {
    Box box;
    std::vector<Vec3d> x;
    std::vector<Exclusion> exclusions;
    std::vector<LatticePoint> points;

    void update() {
        points.resize(x.size());
        Lattice(box, x).points(x, points);
    }
    PairPositions positions() const { return {cell, box.periodic(), points}; }
    Box cell;
};

// Triples of atoms close together (as water is), excluded from each other, at random.
Atoms make_atoms(const Box& box, int triples, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-0.5, 1.5);  // some outside of the box
    std::normal_distribution<double> normal(0.0, 0.06);
    Atoms a;
    a.box = box;
    for (int m = 0; m < triples; ++m) {
        const Vec3d s{uniform(random), uniform(random), uniform(random)};
        const Vec3d center = box.periodic() ? box.to_cartesian(s) : s * 3.0;
        for (int k = 0; k < 3; ++k) a.x.push_back(center + Vec3d{normal(random), normal(random), normal(random)});
        a.exclusions.push_back({3 * m, 3 * m + 1});
        a.exclusions.push_back({3 * m, 3 * m + 2});
        a.exclusions.push_back({3 * m + 1, 3 * m + 2});
    }
    a.cell = Lattice(box, a.x).cell();
    a.update();
    return a;
}

std::vector<unsigned char> every_third(std::size_t n) {
    std::vector<unsigned char> flags(n, 0);
    for (std::size_t i = 0; i < n; i += 3) flags[i] = 1;
    return flags;
}

Vec3d lattice_vector(const Atoms& a, std::size_t i, std::size_t j) {
    const LatticeMetric<double> m(a.cell);
    const LatticePoint &p = a.points[i], &q = a.points[j];
    const double dx = lattice_difference(p.x, q.x), dy = lattice_difference(p.y, q.y),
                 dz = lattice_difference(p.z, q.z);
    return {dx * m.xx + dy * m.yx + dz * m.zx, dy * m.yy + dz * m.zy, dz * m.zz};
}

// How often each pair of atoms is in the list; also checks the images of those within `radius`.
std::map<std::pair<std::uint32_t, std::uint32_t>, int> listed(const PairLists& lists, const Atoms& a, double radius) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> count;
    const Clusters& c = lists.clusters();
    int wrong_images = 0;
    const auto visit = [&](const PairRow& row, std::uint32_t cluster, std::uint32_t mask) {
        for (std::uint32_t bit = 0; bit < 32; ++bit) {
            if (!(mask >> bit & 1)) continue;
            const std::uint32_t slot_i = row.group * group_rows + bit / 8, slot_j = cluster * cluster_size + bit % 8;
            if (!c.real(slot_i) || !c.real(slot_j)) continue;
            const std::uint32_t i = c.atoms()[slot_i], j = c.atoms()[slot_j];
            ++count[{std::min(i, j), std::max(i, j)}];
            if (norm(lattice_vector(a, i, j)) > radius) continue;
            const auto& center_i = c.bounds()[row.group / 2].center;
            const auto& center_j = c.bounds()[cluster].center;
            wrong_images +=
                row.shift != shift_code(image_along(a.points[i].x, center_i[0], a.points[j].x, center_j[0]),
                                        image_along(a.points[i].y, center_i[1], a.points[j].y, center_j[1]),
                                        image_along(a.points[i].z, center_i[2], a.points[j].z, center_j[2]));
        }
    };
    for (const PairChunk& chunk : lists.list(PairSet::home).chunks) {
        for (const PairRow& row : chunk.rows) {
            for (std::uint32_t k = row.begin; k < row.end(); ++k) visit(row, chunk.plain[k], ~0u);
            for (std::uint32_t k = row.masked_begin; k < row.masked_end; ++k) {
                visit(row, chunk.masked[k].cluster, chunk.masked[k].mask);
            }
        }
    }
    CHECK(wrong_images == 0);
    return count;
}

// Every pair within the cutoff that is not excluded is there exactly once, no pair twice, no excluded one at all.
void check_complete(const PairLists& lists, const Atoms& a, double cutoff) {
    const auto count = listed(lists, a, cutoff);
    std::set<std::pair<std::uint32_t, std::uint32_t>> excluded;
    for (const Exclusion& e : a.exclusions) {
        excluded.insert({static_cast<std::uint32_t>(e.i), static_cast<std::uint32_t>(e.j)});
    }
    int wrong = 0;
    for (const auto& [pair, times] : count) wrong += times != 1 || pair.first == pair.second || excluded.count(pair);
    CHECK(wrong == 0);
    int missing = 0, within = 0;
    for (std::uint32_t i = 0; i < a.x.size(); ++i) {
        for (std::uint32_t j = i + 1; j < a.x.size(); ++j) {
            if (norm(lattice_vector(a, i, j)) >= cutoff || excluded.count({i, j})) continue;
            ++within;
            missing += !count.count({i, j});
        }
    }
    CHECK((within > 0 || a.x.size() == 3));
    CHECK(missing == 0);
}

PairLists make_lists(const Atoms& a, PairListSettings settings) {
    return PairLists(settings, ExclusionMap(a.x.size(), a.exclusions), every_third(a.x.size()));
}

const Box cubic = Box::rectangular(3.1, 2.9, 3.3);
const Box dodecahedron = Box::from_lengths_angles({3.4, 3.4, 3.4}, {60, 60, 90});
const Box skewed = Box::from_lengths_angles({3.0, 3.5, 4.0}, {75, 80, 70});

}  // namespace

TEST_CASE("pair lists hold every pair within the cutoff once") {
    const double cutoff = 0.9;
    const auto check = [&](const Box& box, int triples) {
        const Atoms a = make_atoms(box, triples, 7);
        PairLists lists = make_lists(a, {.cutoff = cutoff});
        CHECK(lists.update(a.positions()));
        check_complete(lists, a, cutoff);
        CHECK(lists.condition(a.positions()) == PairLists::Condition::valid);
    };
    check(cubic, 900);
    check(dodecahedron, 900);
    check(skewed, 1200);
    check(cubic, 1);
    check(Box::rectangular(1.9, 1.85, 1.801), 200);  // hardly larger than twice the cutoff
    check(Box::rectangular(2.0, 6.0, 12.0), 300);
}

TEST_CASE("without a cutoff the list holds all pairs") {
    const Atoms a = make_atoms(Box(), 120, 3);
    PairLists lists = make_lists(a, {.cutoff = std::numeric_limits<double>::infinity()});
    lists.update(a.positions());
    check_complete(lists, a, 1e9);
}

TEST_CASE("moving atoms never leave a list without a pair") {
    for (const Box& box : {cubic, dodecahedron}) {
        Atoms a = make_atoms(box, 700, 11);
        PairLists lists = make_lists(a, {.cutoff = 0.9});
        std::mt19937 random(5);
        std::normal_distribution<double> normal(0.0, 0.006);
        std::vector<Vec3d> v(a.x.size());
        for (Vec3d& u : v) u = {normal(random), normal(random), normal(random)};
        int updates = 0;
        for (int step = 0; step < 40; ++step) {
            for (std::size_t i = 0; i < v.size(); ++i) a.x[i] += v[i];
            a.update();
            updates += lists.update(a.positions());
            if (step % 3 == 0) {
                lists.gather(PairSet::home, a.positions());
                check_complete(lists, a, 0.9);
            }
        }
        CHECK(updates > 2);
        CHECK(lists.prunings() > lists.searches());
    }
}

TEST_CASE("a list expires with displacements and with strain of the box") {
    Atoms a = make_atoms(cubic, 700, 13);
    PairLists lists = make_lists(a, {.cutoff = 0.9, .inner_skin = 0.12, .outer_skin = 0.32});
    lists.update(a.positions());
    a.x[17] += Vec3d{0.07, 0, 0};
    a.update();
    CHECK(lists.condition(a.positions()) == PairLists::Condition::valid);
    a.x[400] += Vec3d{0, 0, 0.06};
    a.update();
    CHECK(lists.condition(a.positions()) == PairLists::Condition::prune);
    a.x[400] += Vec3d{0, 0, 0.2};
    a.update();
    CHECK(lists.condition(a.positions()) == PairLists::Condition::search);
    lists.update(a.positions());
    a.cell = cubic.transformed({Vec3d{0.96, 0, 0}, Vec3d{0, 0.96, 0}, Vec3d{0, 0, 0.96}});
    CHECK(lists.condition(a.positions()) == PairLists::Condition::valid);
    a.cell = cubic.transformed({Vec3d{0.9, 0, 0}, Vec3d{0, 0.9, 0}, Vec3d{0, 0, 0.9}});
    CHECK(lists.condition(a.positions()) != PairLists::Condition::valid);
}

TEST_CASE("a box that has become too small for the cutoff ends the run") {
    const Atoms a = make_atoms(Box::rectangular(2.4, 2.4, 1.7), 100, 2);
    PairLists lists = make_lists(a, {.cutoff = 0.9});
    try {
        lists.update(a.positions());
        FAIL("not refused");
    } catch (const Error& e) {
        CHECK(e.exit_code() == ExitCode::unstable);
        CHECK(e.problems().front().code == "MD506");
        CHECK(e.problems().front().why.find("1.7000 nm") != std::string::npos);
    }
}

TEST_CASE("lists are complete for any number of threads and in shuffled order") {
    const Atoms a = make_atoms(dodecahedron, 800, 21);
    const int before = thread_count();
    for (const int threads : {1, 3, 4}) {
        omp_set_num_threads(threads);
        PairLists lists = make_lists(a, {.cutoff = 0.9, .random_order_seed = 99});
        lists.update(a.positions());
        CHECK(lists.list(PairSet::home).parts.size() == static_cast<std::size_t>(threads) + 1);
        check_complete(lists, a, 0.9);
    }
    omp_set_num_threads(before);
}
