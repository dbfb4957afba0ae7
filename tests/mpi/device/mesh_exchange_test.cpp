// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_exchange.h"

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "forces/device/mesh/device_mesh.h"
#include "forces/mesh/prolate/shifted_prolate.h"
#include "forces/mesh/ranks/mesh_route.h"
#include "forces/short_range/short_range.h"
#include "mesh/spread_system.h"
#include "world.h"

using namespace mdsim;
using test::MovedSystem;
using test::Regions;
using test::SpreadAtoms;

namespace {

std::vector<Box> boxes() {
    return {Box::rectangular(2.4, 2.3, 2.6),
            Box::from_rows({Vec3d{2.6, 0, 0}, Vec3d{0.7, 2.4, 0}, Vec3d{-0.9, 0.8, 2.3}})};
}

mesh::MeshSettings settings(int order, std::array<int, 3> n) {
    return {n, {mesh::WindowShape::bspline, order}, mesh::GaussianSplit{3.0}, units::coulomb_codata2018};
}

/// With prolates, whose windows reach over more nodes.
mesh::MeshSettings prolates(std::array<int, 3> n) {
    return {n,
            {mesh::WindowShape::prolate, 7, mesh::prolate_pieces(7, 14.0)},
            mesh::prolate_split(9.0, 0.9),
            units::coulomb_codata2018};
}

/// Who has atoms, and who solves.
struct Placing {
    Regions regions;
    std::vector<int> solvers;

    std::string name() const {
        std::string text = std::to_string(regions.grid[0]) + " x " + std::to_string(regions.grid[1]) + " x " +
                           std::to_string(regions.grid[2]) + " regions, solved by";
        for (const int rank : solvers) text.append(" ").append(std::to_string(rank));
        return text;
    }
    bool solves(int rank) const { return std::find(solvers.begin(), solvers.end(), rank) != solvers.end(); }
};

std::vector<int> ranks_from(int first, int end) {
    std::vector<int> ranks;
    for (int rank = first; rank < end; ++rank) ranks.push_back(rank);
    return ranks;
}

// Cut along each axis and, of four and eight ranks, along several; all solve, one with atoms, one or some without.
std::vector<Placing> placings(int ranks) {
    std::vector<Placing> all{{{{ranks, 1, 1}}, ranks_from(0, ranks)}};
    if (ranks == 1) return all;
    all.push_back({{{1, ranks, 1}}, {ranks - 1}});
    all.push_back({{{1, 1, ranks}}, ranks_from(ranks / 2, ranks)});
    all.push_back({{{1, 1, ranks - 1}}, {ranks - 1}});
    if (ranks > 2) all.push_back({{{ranks - 2, 1, 1}}, ranks_from(ranks - 2, ranks)});  // one rank or two without atoms
    if (ranks > 3) all.push_back({{{1, ranks - 2, 1}}, {0, 1, ranks - 2}});             // and one that does nothing
    if (ranks % 4 == 0) all.push_back({{{2, ranks / 4, 2}}, ranks_from(0, ranks)});
    return all;
}

/// A way of playing a device.
struct Way {
    Transport transport = Transport::direct;
    gpu::ThreadOrder order = gpu::ThreadOrder::forward;
    std::uint64_t seed = 0;

    gpu::HostSettings settings() const {
        gpu::HostSettings settings;
        settings.order = order;
        settings.seed = seed + 100 * static_cast<std::uint64_t>(world().rank());
        return settings;
    }
    std::string name() const {
        return std::string(transport == Transport::direct ? "direct" : "staged") + ", order " + std::to_string(seed);
    }
};

std::vector<Way> ways() {
    return {{Transport::direct},
            {Transport::direct, gpu::ThreadOrder::shuffled, 1},
            {Transport::staged, gpu::ThreadOrder::shuffled, 2}};
}

struct Found {
    std::vector<std::array<std::int32_t, 3>> forces;  // of home atoms [2^-12 kJ/mol/nm]
    EnergySums energies;                              // of this rank
    bool out_of_range = false;
};

bool same_energies(EnergySums a, EnergySums b) {
    return std::equal(a.parts().begin(), a.parts().end(), b.parts().begin(),
                      [](const auto& s, const auto& t) { return s.units() == t.units(); });
}

/// A device with its home atoms.
class HomeOfRank {
  public:
    explicit HomeOfRank(const Way& way)
        : device(gpu::host_device(), way.settings()),
          stream(device),
          points_(device, {}),
          sums_(device, {}),
          flags_(device, {}) {
        flags_.resize(1);
    }

    gpu::Device device;
    gpu::Stream stream;
    Clusters clusters;

    void assign(const LocalSystem& system, const MovedSystem& moved) {
        const LocalAtoms& atoms = system.atoms;
        const std::vector<LatticePoint> points = points_of(moved, atoms.ids);
        home_ = atoms.home;
        ids_ = atoms.ids;
        clusters = Clusters();
        clusters.build(moved.box, points, std::vector<unsigned char>(points.size(), 1), zones_of(atoms));
        points_.resize(clusters.size());
        sums_.resize(clusters.size());
    }
    MeshRun begin(const MovedSystem& moved, bool with_energy) {
        clusters.gather(points_of(moved, ids_), 0, clusters.size());
        points_.upload(stream, clusters.points());
        sums_.zero(stream);
        flags_.zero(stream);
        return {points_.data(), static_cast<unsigned>(clusters.home()), moved.box, with_energy, sums_.data(),
                flags_.data()};
    }
    /// But for energies.
    Found found() {
        std::vector<kernels::ClusterForces> sums(sums_.size());
        std::vector<kernels::ForceFlags> flags(1);
        sums_.download(stream, sums);
        flags_.download(stream, flags);
        Found found;
        for (std::size_t i = 0; i < home_; ++i) {
            const std::uint32_t slot = clusters.slots()[i], k = slot % cluster_size;
            const kernels::ClusterForces& f = sums[slot / cluster_size];
            found.forces.push_back({f.x[k], f.y[k], f.z[k]});
        }
        found.out_of_range = flags[0].out_of_range != 0;
        return found;
    }

  private:
    std::size_t home_ = 0;
    std::vector<std::int64_t> ids_;
    gpu::Buffer<ClusterPoints> points_;
    gpu::Buffer<kernels::ClusterForces> sums_;
    gpu::Buffer<kernels::ForceFlags> flags_;

    static std::vector<LatticePoint> points_of(const MovedSystem& moved, const std::vector<std::int64_t>& ids) {
        std::vector<Vec3d> x;
        for (const std::int64_t id : ids) x.push_back(moved.x[static_cast<std::size_t>(id)]);
        std::vector<LatticePoint> points(x.size());
        Lattice(moved.box, x).points(x, points);
        return points;
    }
};

/// A device, its home atoms, and its part of the mesh.
class MeshOfRank {
  public:
    MeshOfRank(const mesh::MeshSettings& s, const Placing& placing, const Way& way)
        : home_(way), exchange_(home_.device, world(), s, placing.solvers, way.transport) {}

    void assign(const LocalSystem& system, const MovedSystem& moved) {
        home_.assign(system, moved);
        exchange_.assign(system);
        exchange_.set_clusters(home_.clusters, home_.stream);
        exchange_.plan(moved.box, home_.stream);
    }
    const mesh::MeshLayout& layout() const { return exchange_.layout(); }

    void begin(const MovedSystem& moved, bool with_energy) {
        with_energy_ = with_energy;
        exchange_.begin(home_.stream, home_.begin(moved, with_energy));
    }
    bool progress() { return exchange_.progress(); }
    Found finish() {
        while (!exchange_.progress()) {
        }
        Found found = home_.found();
        if (with_energy_) exchange_.report(found.energies);
        return found;
    }
    Found evaluate(const MovedSystem& moved, bool with_energy) {
        begin(moved, with_energy);
        return finish();
    }

  private:
    HomeOfRank home_;
    MeshExchange exchange_;
    bool with_energy_ = false;
};

/// All atoms on one rank, alone, as one that shares nothing computes them.
Found on_one_rank(const mesh::MeshSettings& s, const Box& box, const test::Charges& c, const MovedSystem& moved) {
    SpreadAtoms all(box, c, {}, 0);
    all.atoms.places.clear();
    HomeOfRank home(Way{});
    home.assign(all.system(), moved);
    DeviceMesh mesh(home.device, s, c.q);
    mesh.set_clusters(home.clusters, home.stream);
    mesh.launch(home.stream, home.begin(moved, true));
    Found found = home.found();
    mesh.report(found.energies);
    return found;
}

bool same_forces(const Found& here, const SpreadAtoms& local, const Found& one) {
    for (std::size_t i = 0; i < local.atoms.home; ++i) {
        if (here.forces[i] != one.forces[static_cast<std::size_t>(local.atoms.ids[i])]) return false;
    }
    return true;
}

void check(MeshOfRank& mesh, const SpreadAtoms& local, const MovedSystem& moved, const Found& one) {
    // More than once: what is kept from one evaluation to the next must not show.
    for (const bool with_energy : {true, false, true}) {
        Found found = mesh.evaluate(moved, with_energy);
        world().sum(found.energies.parts());
        CHECK(same_forces(found, local, one));
        CHECK(!found.out_of_range);
        CHECK(same_energies(found.energies, with_energy ? one.energies : EnergySums{}));
    }
}

}  // namespace

TEST_CASE("the mesh of devices on several ranks has the bits of one", "[mesh][ranks][determinism]") {
    // In the first mesh what atoms of a region reach is a whole axis, for most ways to cut.
    const std::array<std::array<int, 3>, 2> meshes{{{9, 8, 10}, {21, 24, 20}}};
    bool both_ways = false;  // cut along both axes
    for (std::size_t b = 0; b < 2; ++b) {
        const Box box = boxes()[b];
        const test::Charges c = test::scattered_charges(box, 200, 1.0);
        const MovedSystem moved(box, c), still = MovedSystem::still(box, c);
        for (const mesh::MeshSettings& s :
             {settings(4, meshes[b]), b == 0 ? settings(5, meshes[1 - b]) : prolates(meshes[1 - b])}) {
            const Found one = on_one_rank(s, box, c, moved), one_still = on_one_rank(s, box, c, still);
            for (const Placing& placing : placings(world().size())) {
                const SpreadAtoms local(box, c, placing.regions, world().rank());
                SpreadAtoms later(box, c, {{1, placing.regions.size(), 1}}, world().rank());
                later.atoms.farthest_move = 0.0;  // not a node to spare
                for (const Way& way : ways()) {
                    INFO("box " << b << ", order " << s.window.order << ", " << placing.name() << ", " << way.name());
                    MeshOfRank mesh(s, placing, way);
                    mesh.assign(local.system(), moved);
                    const mesh::Pencils& p = mesh.layout().pencils;
                    CHECK((p.tiles() > 1) == (placing.solvers.size() > 1));
                    both_ways = both_ways || (p.first > 1 && p.second > 1);
                    check(mesh, local, moved, one);
                    mesh.assign(later.system(), still);
                    check(mesh, later, still, one_still);
                }
            }
        }
    }
    CHECK((both_ways || world().size() < 4));
}

TEST_CASE("a rank goes on while others have not begun with the mesh", "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 300);
    const MovedSystem moved(box, c);
    const SpreadAtoms local(box, c, {{1, world().size(), 1}}, world().rank());
    const mesh::MeshSettings s = settings(4, {20, 18, 27});
    const Found one = on_one_rank(s, box, c, moved);
    for (const Way& way : ways()) {
        for (const std::vector<int>& solvers : {std::vector<int>{0}, ranks_from(0, world().size())}) {
            INFO(way.name() << ", " << solvers.size() << " solve");
            const bool first = world().rank() == 0, alone = world().alone();
            MeshOfRank mesh(s, {{{1, world().size(), 1}}, solvers}, way);
            mesh.assign(local.system(), moved);
            const auto ask = [&] {
                for (int i = 0; i < 20; ++i) CHECK(mesh.progress() == alone);
            };
            // All but the first rank begin, then that one; and the other way round.
            for (const bool first_waits : {true, false}) {
                if (first != first_waits) {
                    mesh.begin(moved, true);
                    ask();
                }
                world().barrier();
                if (first == first_waits) mesh.begin(moved, true);
                CHECK(same_forces(mesh.finish(), local, one));
                world().barrier();
            }
        }
    }
}

TEST_CASE("an atom beyond the nodes of its rank is forgotten with the next plan", "[mesh][ranks]") {
    const Box box = boxes()[1];
    const test::Charges c = test::scattered_charges(box, 200);
    const MovedSystem found(box, c);
    MovedSystem lost = found;
    for (std::size_t i = 0; i < lost.x.size(); i += 3) lost.x[i] += Vec3d{0.3, -0.8, 1.1};
    const mesh::MeshSettings s = settings(4, {24, 24, 24});
    const SpreadAtoms local(box, c, {{1, 1, world().size()}}, world().rank());
    MeshOfRank mesh(s, {{{1, 1, world().size()}}, ranks_from(0, world().size())}, Way{});
    mesh.assign(local.system(), found);
    (void)mesh.evaluate(lost, true);
    const SpreadAtoms others(box, c, {{1, world().size(), 1}}, world().rank());
    mesh.assign(others.system(), found);
    const Found again = mesh.evaluate(found, true);
    CHECK(same_forces(again, others, on_one_rank(s, box, c, found)));
}

TEST_CASE("too much charge on one point of a mesh of several ranks is reported", "[mesh][ranks]") {
    const Box box = boxes()[0];
    test::Charges c;
    c.x.assign(400, Vec3d{1, 1, 1});
    c.q.assign(400, 1.0);
    const MovedSystem still = MovedSystem::still(box, c);
    for (const Placing& placing : placings(world().size())) {
        INFO(placing.name());
        const SpreadAtoms local(box, c, placing.regions, world().rank());
        MeshOfRank mesh(settings(4, {8, 9, 10}), placing, Way{});
        mesh.assign(local.system(), still);
        const bool here = mesh.evaluate(still, false).out_of_range;
        std::int64_t reports = here && placing.solves(world().rank()) ? 1 : 0;
        world().sum(std::span(&reports, 1));
        CHECK(reports >= 1);
    }
}

TEST_CASE("devices send the nodes that their atoms reach, get as many, and the pieces of the transforms",
          "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 3000);
    const MovedSystem moved(box, c);
    const mesh::MeshSettings s = settings(4, {40, 36, 42});
    for (const Placing& placing : placings(world().size())) {
        INFO(placing.name());
        const SpreadAtoms local(box, c, placing.regions, world().rank());
        mesh::HomeNodes nodes;
        nodes.assign(local.system());
        std::vector<mesh::NodeBox> reached;
        for (const mesh::NodeBox& nodes_of_rank : boxes_of_all(nodes.reach(moved.box, s.mesh, 4), world())) {
            reached.push_back(along_lines(nodes_of_rank));
        }
        MeshOfRank mesh(s, placing, Way{});
        mesh.assign(local.system(), moved);
        const mesh::MeshTraffic expected =
            mesh::mesh_traffic(mesh.layout(), reached, 4)[static_cast<std::size_t>(world().rank())];
        const TrafficCounts before = world().traffic();
        (void)mesh.evaluate(moved, false);
        const TrafficCounts after = world().traffic();
        const auto sent = [&](Traffic traffic, auto number) {
            return after[traffic].*number - before[traffic].*number;
        };
        CHECK(sent(Traffic::mesh_halo, &TrafficCounts::Count::messages) == expected.halo.messages);
        CHECK(sent(Traffic::mesh_halo, &TrafficCounts::Count::bytes) == expected.halo.bytes);
        CHECK(sent(Traffic::mesh_transpose, &TrafficCounts::Count::messages) == expected.transpose.messages);
        CHECK(sent(Traffic::mesh_transpose, &TrafficCounts::Count::bytes) == expected.transpose.bytes);
    }
}

TEST_CASE("a mesh is spread over as many devices as get a fair share of it", "[mesh][ranks]") {
    CHECK(devices_for_mesh({100, 100, 100}, 8) == 1);
    CHECK(devices_for_mesh({128, 64, 128}, 100) == 8);
    CHECK(devices_for_mesh({128, 64, 128}, 4) == 4);
    CHECK(devices_for_mesh({160, 160, 160}, 1000) == 31);
    CHECK(devices_for_mesh({4000, 4000, 4000}, 8) == 8);
}
