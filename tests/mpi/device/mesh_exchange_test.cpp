// SPDX-License-Identifier: Apache-2.0
#include "forces/device/mesh/mesh_exchange.h"

#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "core/units.h"
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

/// Who has atoms, and who solves.
struct Placing {
    Regions regions;
    int solver = 0;

    std::string name() const {
        return std::to_string(regions.grid[0]) + " x " + std::to_string(regions.grid[1]) + " x " +
               std::to_string(regions.grid[2]) + " regions, rank " + std::to_string(solver) + " solves";
    }
};

// Cut along each axis and, of four and eight ranks, along several; a rank with atoms solves or one without.
std::vector<Placing> placings(int ranks) {
    std::vector<Placing> all{{{{ranks, 1, 1}}, 0}};
    if (ranks == 1) return all;
    all.push_back({{{1, ranks, 1}}, ranks - 1});
    all.push_back({{{1, 1, ranks}}, ranks / 2});
    all.push_back({{{1, 1, ranks - 1}}, ranks - 1});
    if (ranks > 2) all.push_back({{{ranks - 2, 1, 1}}, ranks - 2});  // the last rank does nothing
    if (ranks % 4 == 0) all.push_back({{{2, ranks / 4, 2}}, 0});
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
            {Transport::staged, gpu::ThreadOrder::shuffled, 2},
            {Transport::staged, gpu::ThreadOrder::shuffled, 3}};
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

/// A device, its home atoms, and its part of the mesh.
class MeshOfRank {
  public:
    /// comm must outlive it.
    MeshOfRank(const mesh::MeshSettings& s, const Comm& comm, int solver, const Way& way)
        : device_(gpu::host_device(), way.settings()),
          stream_(device_),
          mesh_(device_, s, {}, comm.rank() == solver ? Solving::here : Solving::elsewhere),
          exchange_(device_, comm, solver, mesh_, way.transport),
          points_(device_, {}),
          sums_(device_, {}),
          flags_(device_, {}) {
        flags_.resize(1);
    }

    void assign(const LocalSystem& system, const MovedSystem& moved) {
        const LocalAtoms& atoms = system.atoms;
        const std::vector<LatticePoint> points = points_of(moved, atoms.ids);
        home_ = atoms.home;
        ids_ = atoms.ids;
        clusters_ = Clusters();
        clusters_.build(moved.box, points, std::vector<unsigned char>(points.size(), 1), zones_of(atoms));
        mesh_.assign(system);
        mesh_.set_clusters(clusters_, stream_);
        points_.resize(clusters_.size());
        sums_.resize(clusters_.size());
        exchange_.assign(system);
        exchange_.plan(moved.box, stream_);
    }

    void begin(const MovedSystem& moved, bool with_energy) {
        with_energy_ = with_energy;
        clusters_.gather(points_of(moved, ids_), 0, clusters_.size());
        points_.upload(stream_, clusters_.points());
        sums_.zero(stream_);
        flags_.zero(stream_);
        exchange_.begin(stream_, {points_.data(), static_cast<unsigned>(clusters_.home()), moved.box, with_energy,
                                  sums_.data(), flags_.data()});
    }
    bool progress() { return exchange_.progress(); }
    Found finish() {
        while (!exchange_.progress()) {
        }
        std::vector<kernels::ClusterForces> sums(sums_.size());
        std::vector<kernels::ForceFlags> flags(1);
        sums_.download(stream_, sums);
        flags_.download(stream_, flags);
        Found found;
        for (std::size_t i = 0; i < home_; ++i) {
            const std::uint32_t slot = clusters_.slots()[i], k = slot % cluster_size;
            const kernels::ClusterForces& f = sums[slot / cluster_size];
            found.forces.push_back({f.x[k], f.y[k], f.z[k]});
        }
        found.out_of_range = flags[0].out_of_range != 0;
        if (with_energy_) mesh_.report(found.energies);
        return found;
    }
    Found evaluate(const MovedSystem& moved, bool with_energy) {
        begin(moved, with_energy);
        return finish();
    }

  private:
    gpu::Device device_;
    gpu::Stream stream_;
    DeviceMesh mesh_;
    MeshExchange exchange_;
    std::size_t home_ = 0;
    std::vector<std::int64_t> ids_;
    Clusters clusters_;
    gpu::Buffer<ClusterPoints> points_;
    gpu::Buffer<kernels::ClusterForces> sums_;
    gpu::Buffer<kernels::ForceFlags> flags_;
    bool with_energy_ = false;

    static std::vector<LatticePoint> points_of(const MovedSystem& moved, const std::vector<std::int64_t>& ids) {
        std::vector<Vec3d> x;
        for (const std::int64_t id : ids) x.push_back(moved.x[static_cast<std::size_t>(id)]);
        std::vector<LatticePoint> points(x.size());
        Lattice(moved.box, x).points(x, points);
        return points;
    }
};

/// All atoms on one rank, alone.
Found on_one_rank(const mesh::MeshSettings& s, const Box& box, const test::Charges& c, const MovedSystem& moved) {
    SpreadAtoms all(box, c, {}, 0);
    all.atoms.places.clear();
    const Comm alone;
    MeshOfRank mesh(s, alone, 0, Way{});
    mesh.assign(all.system(), moved);
    return mesh.evaluate(moved, true);
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

/// Mesh messages and bytes of all ranks so far.
std::array<std::int64_t, 2> sent_by_all() {
    const TrafficCounts counts = world().traffic();
    std::array<std::int64_t, 2> sent{counts[Traffic::mesh_halo].messages, counts[Traffic::mesh_halo].bytes};
    world().sum(std::span(sent));
    return sent;
}

}  // namespace

TEST_CASE("the mesh of devices on several ranks has the bits of one", "[mesh][ranks][determinism]") {
    // In the first mesh what atoms of a region reach is a whole axis, for most ways to cut.
    const std::array<std::array<int, 3>, 2> meshes{{{9, 8, 10}, {21, 24, 20}}};
    for (std::size_t b = 0; b < 2; ++b) {
        const Box box = boxes()[b];
        const test::Charges c = test::scattered_charges(box, 200, 1.0);
        const MovedSystem moved(box, c), still = MovedSystem::still(box, c);
        for (const auto& [order, n] : {std::pair{4, meshes[b]}, {b == 0 ? 5 : 6, meshes[1 - b]}}) {
            const mesh::MeshSettings s = settings(order, n);
            const Found one = on_one_rank(s, box, c, moved), one_still = on_one_rank(s, box, c, still);
            for (const Placing& placing : placings(world().size())) {
                const SpreadAtoms local(box, c, placing.regions, world().rank());
                SpreadAtoms later(box, c, {{1, placing.regions.size(), 1}}, world().rank());
                later.atoms.farthest_move = 0.0;  // not a node to spare
                for (const Way& way : ways()) {
                    INFO("box " << b << ", order " << order << ", " << placing.name() << ", " << way.name());
                    MeshOfRank mesh(s, world(), placing.solver, way);
                    mesh.assign(local.system(), moved);
                    check(mesh, local, moved, one);
                    mesh.assign(later.system(), still);
                    check(mesh, later, still, one_still);
                }
            }
        }
    }
}

TEST_CASE("a rank goes on while others have not begun with the mesh", "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 300);
    const MovedSystem moved(box, c);
    const SpreadAtoms local(box, c, {{1, world().size(), 1}}, world().rank());
    for (const Way& way : ways()) {
        INFO(way.name());
        const bool solves = world().rank() == 0, alone = world().alone();
        MeshOfRank mesh(settings(4, {20, 18, 27}), world(), 0, way);
        mesh.assign(local.system(), moved);
        const auto ask = [&] {
            for (int i = 0; i < 20; ++i) CHECK(mesh.progress() == alone);
        };
        // First those with charges for the solver, then the solver.
        if (!solves) {
            mesh.begin(moved, true);
            ask();
        }
        world().barrier();
        if (solves) mesh.begin(moved, true);
        world().barrier();
        mesh.finish();
        // And the other way round.
        if (solves) {
            mesh.begin(moved, true);
            ask();
        }
        world().barrier();
        if (!solves) mesh.begin(moved, true);
        mesh.finish();
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
    MeshOfRank mesh(s, world(), 0, Way{});
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
        MeshOfRank mesh(settings(4, {8, 9, 10}), world(), placing.solver, Way{});
        mesh.assign(local.system(), still);
        std::int64_t reports = mesh.evaluate(still, false).out_of_range ? 1 : 0;
        if (world().rank() == placing.solver) CHECK(reports == 1);
        world().sum(std::span(&reports, 1));
        CHECK(reports >= 1);
    }
}

TEST_CASE("devices send the nodes that their atoms reach and get as many", "[mesh][ranks]") {
    const Box box = boxes()[0];
    const test::Charges c = test::scattered_charges(box, 3000);
    const MovedSystem moved(box, c);
    const mesh::MeshSettings s = settings(4, {40, 36, 42});
    for (const Placing& placing : placings(world().size())) {
        INFO(placing.name());
        const SpreadAtoms local(box, c, placing.regions, world().rank());
        mesh::HomeNodes nodes;
        nodes.assign(local.system());
        const bool sends = world().rank() != placing.solver && local.atoms.home > 0;
        std::array<std::int64_t, 2> expected{sends ? 1 : 0, sends ? 4 * nodes.reach(moved.box, s.mesh, 4).nodes() : 0};
        world().sum(std::span(expected));
        MeshOfRank mesh(s, world(), placing.solver, Way{});
        mesh.assign(local.system(), moved);
        const std::array<std::int64_t, 2> before = sent_by_all();
        (void)mesh.evaluate(moved, false);
        const std::array<std::int64_t, 2> after = sent_by_all();
        CHECK(after[0] - before[0] == 2 * expected[0]);
        CHECK(after[1] - before[1] == 2 * expected[1]);
    }
}
