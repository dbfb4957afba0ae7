// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <catch2/catch.hpp>
#include <omp.h>

#include "core/error.h"
#include "core/units.h"
#include "forces/mesh/ranks/rank_mesh_term.h"
#include "mesh/evaluate.h"
#include "mesh/spread_system.h"
#include "world.h"

using namespace mdsim;
using namespace mdsim::mesh;
using test::MovedSystem;
using test::Regions;
using test::SpreadAtoms;

namespace {

constexpr double ke = units::coulomb_codata2018;

std::vector<Box> boxes() {
    return {Box::rectangular(2.4, 2.3, 2.6),
            Box::from_rows({Vec3d{2.6, 0, 0}, Vec3d{0.7, 2.4, 0}, Vec3d{-0.9, 0.8, 2.3}})};
}

MeshSettings settings(int order, std::array<int, 3> n) {
    return {n, {WindowShape::bspline, order}, GaussianSplit{3.0}, ke};
}

/// Who has atoms and who transforms lines.
struct Placing {
    Regions regions;
    std::vector<int> mesh_ranks;

    MeshPlaces places() const { return {regions.grid, mesh_ranks}; }
};

std::vector<int> ranks_from(int first, int last) {
    std::vector<int> ranks(static_cast<std::size_t>(last - first));
    std::iota(ranks.begin(), ranks.end(), first);
    return ranks;
}

// Along each axis alone and as evenly as may be, all ranks transforming; then with mesh ranks of their own, and with
// one rank that does both.
std::vector<Placing> placings(int ranks) {
    const auto even = [](int n) {
        Regions regions;
        for (std::size_t a = 2; n > 1; a = (a + 2) % 3) {
            const int factor = n % 2 == 0 ? 2 : n;
            regions.grid[a] *= factor;
            n /= factor;
        }
        return regions;
    };
    std::vector<Placing> all{{even(ranks), ranks_from(0, ranks)}};
    if (ranks == 1) return all;
    all.push_back({{{ranks, 1, 1}}, ranks_from(0, ranks)});
    all.push_back({{{1, ranks, 1}}, ranks_from(0, ranks)});
    all.push_back({{{1, 1, ranks}}, ranks_from(0, ranks)});
    all.push_back({even(ranks - 1), ranks_from(ranks - 1, ranks)});
    all.push_back({even(ranks / 2), ranks_from(ranks / 2, ranks)});
    all.push_back({even(ranks), {ranks / 2}});
    return all;
}

/// One evaluation of a term by all ranks; energies summed over them.
struct RankEvaluated {
    ForceSink sink;
    EnergySums energies;

    RankEvaluated(HostTerm& term, const SpreadAtoms& local, const MovedSystem& moved, Need sums) {
        std::vector<Vec3d> x;
        for (const std::int64_t id : local.atoms.ids) x.push_back(moved.x[static_cast<std::size_t>(id)]);
        const Lattice lattice(moved.box, x);
        std::vector<LatticePoint> points(x.size());
        lattice.points(x, points);
        const Evaluation evaluation{moved.box, lattice, x, points, {0, sums, sums}};
        sink.resize(x.size(), thread_count());
        term.rebuild(evaluation);
        sink.begin();
        term.compute_home(evaluation, sink);
        term.compute(evaluation, sink);
        sink.finish();
        energies = sink.energies();
        world().sum(energies.parts());
    }
    bool same_forces(const SpreadAtoms& local, const ForceSink& one) const {
        bool same = true;
        for (std::size_t i = 0; i < local.atoms.size(); ++i) {
            const auto id = static_cast<std::size_t>(local.atoms.ids[i]);
            same = same && sink.forces()[i] == (i < local.atoms.home ? one.forces()[id] : Vec3l{});
        }
        return same;
    }
};

bool same_energies(EnergySums a, EnergySums b) {
    bool same = true;
    for (std::size_t i = 0; i < a.parts().size(); ++i) same = same && a.parts()[i].units() == b.parts()[i].units();
    return same;
}

template <class Real>
void check_placing(const Box& box, const test::Charges& c, const MeshSettings& s, const Placing& placing) {
    const MovedSystem moved(box, c);
    MeshTerm<Real> one_rank(s, c.q);
    const test::Evaluated one(one_rank, moved.box, moved.x);
    const SpreadAtoms local(box, c, placing.regions, world().rank());
    RankMeshTerm<Real> term(s, world(), placing.places());
    term.assign(local.system());
    // More than once: what is kept from one evaluation to the next must not show.
    for (const Need sums : {Need::yes, Need::no, Need::yes}) {
        const RankEvaluated many(term, local, moved, sums);
        CHECK(many.same_forces(local, one.sink));
        if (sums == Need::yes) CHECK(same_energies(many.energies, one.sink.energies()));
    }
    // Other atoms, as after a migration, none of which will move: there is no node to spare.
    SpreadAtoms later(box, c, {{1, placing.regions.size(), 1}}, world().rank());
    later.atoms.farthest_move = 0.0;
    term.assign(later.system());
    const MovedSystem still = MovedSystem::still(box, c);
    const test::Evaluated one_still(one_rank, still.box, still.x);
    const RankEvaluated again(term, later, still, Need::yes);
    CHECK(again.same_forces(later, one_still.sink));
    CHECK(same_energies(again.energies, one_still.sink.energies()));
}

/// Halo messages and bytes, transpose messages and bytes.
std::array<std::int64_t, 4> total(const std::vector<MeshTraffic>& ranks) {
    std::array<std::int64_t, 4> sums{};
    for (const MeshTraffic& t : ranks) {
        sums[0] += t.halo.messages;
        sums[1] += t.halo.bytes;
        sums[2] += t.transpose.messages;
        sums[3] += t.transpose.bytes;
    }
    return sums;
}

MeshRanks mesh_ranks_of(const Placing& placing, const Box& box, const std::array<int, 3>& mesh) {
    MeshRanks ranks{.mesh = mesh, .regions = placing.regions.grid};
    ranks.separate = world().size() - placing.regions.size();
    for (int a = 0; a < 3; ++a) {
        ranks.overhang[a] = test::stray;
        ranks.moves[a] = test::move / box.heights()[a];
    }
    return ranks;
}

std::string name_of(const Placing& p) {
    return std::to_string(p.regions.grid[0]) + " x " + std::to_string(p.regions.grid[1]) + " x " +
           std::to_string(p.regions.grid[2]) + " regions, " + std::to_string(p.mesh_ranks.size()) + " mesh ranks";
}

}  // namespace

TEST_CASE("the mesh over ranks has the bits of one rank", "[mesh][ranks][determinism]") {
    const int threads_before = omp_get_max_threads();
    const std::array<std::array<int, 3>, 2> meshes{{{20, 18, 27}, {21, 24, 20}}};
    for (std::size_t b = 0; b < 2; ++b) {
        const test::Charges c = test::scattered_charges(boxes()[b], 400, 1.0);
        for (const Placing& placing : placings(world().size())) {
            INFO("box " << b << ", " << name_of(placing));
            for (const int order : {4, 5, 6}) {
                check_placing<float>(boxes()[b], c, settings(order, meshes[b]), placing);
                check_placing<double>(boxes()[b], c, settings(order, meshes[b]), placing);
            }
            omp_set_num_threads(2);
            check_placing<float>(boxes()[b], c, settings(4, meshes[b]), placing);
            omp_set_num_threads(1);
        }
    }
    omp_set_num_threads(threads_before);
}

TEST_CASE("more ranks than lines leave some idle", "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 60);
    const Placing placing{{{world().size(), 1, 1}}, ranks_from(0, world().size())};
    check_placing<float>(box, c, settings(4, {8, 8, 8}), placing);
    // Not more than can be cut, and those who are left over have nothing to do.
    const MeshLayout layout = choose_layout({8, 8, 8}, std::vector<NodeBox>(100), {{1, 1, 1}, ranks_from(0, 100)}, 4);
    CHECK(layout.pencils.first <= 5);
    CHECK(layout.pencils.second <= 4);
    CHECK(layout.rank_of_tile.size() == 20);
}

TEST_CASE("what the mesh sends is what was foretold", "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 30000);
    const MovedSystem moved(box, c);
    const MeshSettings s = settings(4, {40, 36, 42});
    for (const Placing& placing : placings(world().size())) {
        INFO(name_of(placing));
        const SpreadAtoms local(box, c, placing.regions, world().rank());
        RankMeshTerm<float> term(s, world(), placing.places());
        term.assign(local.system());
        RankEvaluated(term, local, moved, Need::no);
        const TrafficCounts before = world().traffic();
        RankEvaluated(term, local, moved, Need::no);
        const TrafficCounts after = world().traffic();
        const auto sent = [&](Traffic t) {
            return std::pair(after[t].messages - before[t].messages, after[t].bytes - before[t].bytes);
        };
        const MeshTraffic told =
            mesh_traffic(term.layout(), term.boxes(), sizeof(float))[static_cast<std::size_t>(world().rank())];
        CHECK(sent(Traffic::mesh_halo) == std::pair(told.halo.messages, told.halo.bytes));
        CHECK(sent(Traffic::mesh_transpose) == std::pair(told.transpose.messages, told.transpose.bytes));

        // From regions and settings alone, of all ranks together; one node more or less at a side is up to a tenth.
        const std::array<std::int64_t, 4> expected = total(
            mesh_traffic(term.layout(), expected_nodes(mesh_ranks_of(placing, moved.box, s.mesh)), sizeof(float)));
        std::array<std::int64_t, 4> sums = total({told});
        world().sum(std::span(sums));
        CHECK(expected[0] == sums[0]);
        CHECK(static_cast<double>(expected[1]) == Approx(static_cast<double>(sums[1])).epsilon(0.1));
        CHECK(expected[2] == sums[2]);
        CHECK(expected[3] == sums[3]);
    }
}

TEST_CASE("traffic is foretold for ranks that are not there", "[mesh][ranks]") {
    MeshRanks ranks{.mesh = {64, 64, 64}, .regions = {2, 2, 2}, .overhang = {0.01, 0.01, 0.01}};
    const std::vector<MeshTraffic> all = predict_mesh_traffic(ranks);
    REQUIRE(all.size() == 8);
    // Tiles of 2 x 4 or 4 x 2: 1 and 3 partners there and back, and one along x. One along y and one along z.
    for (const MeshTraffic& t : all) CHECK(t.transpose.messages == 10);
    for (const MeshTraffic& t : all) CHECK(t.halo.messages == 4);
    ranks.separate = 4;
    const std::vector<MeshTraffic> some = predict_mesh_traffic(ranks);
    REQUIRE(some.size() == 12);
    CHECK(some[0].transpose.messages == 0);
    CHECK(some[0].halo.messages > 0);
    CHECK(some[11].transpose.messages > 0);
    CHECK(some[11].halo.messages >= 2);
}

TEST_CASE("an atom that has left the nodes of its rank is left out", "[mesh][ranks]") {
    const Box box = boxes()[1];
    const test::Charges c = test::scattered_charges(box, 200);
    MovedSystem moved(box, c);
    const SpreadAtoms local(box, c, {{1, 1, world().size()}}, world().rank());
    RankMeshTerm<float> term(settings(4, {24, 24, 24}), world(),
                             {{1, 1, world().size()}, ranks_from(0, world().size())});
    term.assign(local.system());
    for (std::size_t i = 0; i < moved.x.size(); i += 3) moved.x[i] += Vec3d{0.3, -0.8, 1.1};
    const RankEvaluated lost(term, local, moved, Need::yes);
    // And does not stay so.
    const MovedSystem found(box, c);
    MeshTerm<float> one_rank(settings(4, {24, 24, 24}), c.q);
    const test::Evaluated one(one_rank, found.box, found.x);
    CHECK(RankEvaluated(term, local, found, Need::yes).same_forces(local, one.sink));
}

TEST_CASE("too much charge on one point ends the evaluation where it is seen", "[mesh][ranks]") {
    const Box box = boxes()[0];
    test::Charges c;
    c.x.assign(400, Vec3d{1, 1, 1});
    c.q.assign(400, 1.0);
    const MovedSystem moved(box, {c.x, c.q});
    const SpreadAtoms local(box, c, {{world().size(), 1, 1}}, world().rank());
    RankMeshTerm<float> term(settings(4, {8, 8, 8}), world(), {{world().size(), 1, 1}, ranks_from(0, world().size())});
    term.assign(local.system());
    std::int64_t thrown = 0;
    try {
        const Lattice lattice(moved.box, {});
        std::vector<Vec3d> x(local.atoms.size(), Vec3d{1, 1, 1});
        std::vector<LatticePoint> points(x.size());
        lattice.points(x, points);
        const Evaluation evaluation{moved.box, lattice, x, points, {}};
        ForceSink sink;
        sink.resize(x.size(), thread_count());
        term.rebuild(evaluation);
        term.compute_home(evaluation, sink);
        term.compute(evaluation, sink);
    } catch (const Error& error) {
        thrown = std::string(error.what()).find("MD501") != std::string::npos ? 1 : 1000;
    }
    world().sum(std::span(&thrown, 1));
    CHECK(thrown >= 1);
    CHECK(thrown < 1000);
}
