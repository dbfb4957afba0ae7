// SPDX-License-Identifier: Apache-2.0
#include "domain/domain.h"

#include <cmath>
#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "domain/regions/halo_geometry.h"
#include "world.h"

using namespace mdsim;

namespace {

/// Three atoms tied together and one that is free.
Topology waters_and_ions(std::int64_t waters, std::int64_t ions) {
    Topology topology;
    MoleculeType water;
    water.name = "water";
    for (int n = 0; n < 3; ++n) water.atoms.push_back({.name = n == 0 ? "O" : "H", .charge = n == 0 ? -0.8 : 0.4});
    water.settles.push_back({0, 1, 2, 0.1, 0.16});
    water.exclusions = {{0, 1}, {0, 2}, {1, 2}};
    MoleculeType ion;
    ion.name = "ion";
    ion.atoms.push_back({.name = "I", .charge = 1.0});
    topology.types = {water, ion};
    topology.blocks = {{0, waters}, {1, ions}};
    topology.force_field.type_names = {"X"};
    topology.force_field.lj.resize(1);
    return topology;
}

struct System {
    Topology topology;
    State state;  // of all atoms, the same on all ranks
};

// Molecules anywhere, some of them many boxes away; with a box also across its faces.
System make_system(const Box& box, std::int64_t waters, std::int64_t ions) {
    System system{waters_and_ions(waters, ions), {}};
    system.state.box = box;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(0.0, 1.0), small(-0.1, 0.1);
    std::uniform_int_distribution<int> boxes(-3, 3);
    const Box cell = box.periodic() ? box : Box::rectangular(5, 5, 5);
    system.topology.for_each_molecule([&](const MoleculeType& type, std::int64_t, std::int64_t) {
        const int turns = box.periodic() ? boxes(random) : 0;
        const Vec3d at = cell.to_cartesian({uniform(random) + turns, uniform(random) - turns, uniform(random)});
        for (int n = 0; n < type.size(); ++n) {
            system.state.x.push_back(n == 0 ? at : at + Vec3d{small(random), small(random), small(random)});
            system.state.v.push_back({uniform(random), 0.5, uniform(random)});
        }
    });
    return system;
}

Box triclinic() {
    return Box::from_rows({Vec3d{5.5, 0, 0}, Vec3d{1.8, 5.2, 0}, Vec3d{1.8, -1.5, 4.9}});
}

struct Case {
    Box box;
    double reach;
    Balance balance;
};
std::vector<Case> cases() {
    return {{Box::rectangular(6, 5, 5.5), 1.1, Balance::off},
            {Box::rectangular(6, 5, 5.5), 2.4, Balance::forced},
            {triclinic(), 1.2, Balance::forced},
            {triclinic(), 2.0, Balance::off},
            {Box(), 1.0, Balance::measured},
            {Box(), std::numeric_limits<double>::infinity(), Balance::measured}};
}

/// A domain with its part of a system.
struct Part {
    System system;
    State state;
    Domain domain;
    Lattice lattice;

    explicit Part(const Case& c)
        : system(make_system(c.box, 700, 60)),
          domain(world(), system.topology, {.reach = c.reach, .balance = c.balance}),
          lattice(c.box, system.state.x) {
        domain.set_vacuum(VacuumCell::around(system.state.x));
        if (world().leads()) state = system.state;
        domain.distribute(state);
    }
    void surround(double reach) { domain.surround(lattice, state.x, {reach, 0.1}); }
};

// Sent to all, so that every rank can look up what the others have.
std::vector<std::int64_t> owners(const Domain& domain) {
    std::vector<std::int64_t> owner(static_cast<std::size_t>(domain.local().atoms.all), -1);
    const std::vector<Bytes> ids = world().gather_to_all(std::as_bytes(domain.ids()));
    for (std::size_t r = 0; r < ids.size(); ++r) {
        for (const std::int64_t id : values_of<std::int64_t>(ids[r])) {
            std::int64_t& of = owner[static_cast<std::size_t>(id)];
            CHECK(of == -1);
            of = static_cast<std::int64_t>(r);
        }
    }
    return owner;
}

double charge_of(std::int64_t id) {
    return id >= 2100 ? 1.0 : id % 3 == 0 ? -0.8 : 0.4;
}

Vec3l difference(const LatticePoint& a, const LatticePoint& b) {
    const auto d = [](std::uint32_t p, std::uint32_t q) { return static_cast<std::int32_t>(p - q); };
    return {d(a.x, b.x), d(a.y, b.y), d(a.z, b.z)};
}

// Rule: along each split axis one is at home, and the two meet in the image by which the other one came.
bool computed_here(const LocalAtoms& atoms, const Lattice& lattice, std::span<const Vec3d> x, std::size_t p,
                   std::size_t q) {
    if (!may_meet(atoms.zones[p], atoms.zones[q])) return false;
    const Vec3l d = difference(lattice.point(x[p]), lattice.point(x[q]));
    for (int a = 0; a < 3; ++a) {
        if ((atoms.split_axes >> a & 1u) == 0) continue;
        const bool both_home = ((atoms.zones[p].above | atoms.zones[q].above) >> a & 1u) == 0;
        if (!both_home && atoms.places[p][a] - atoms.places[q][a] != d[a]) return false;
    }
    return true;
}

double distance(const Lattice& lattice, const Vec3d& a, const Vec3d& b) {
    const Vec3l d = difference(lattice.point(a), lattice.point(b));
    constexpr double unit = 1.0 / 4294967296.0;
    return norm(lattice.cell().to_cartesian(
        {static_cast<double>(d.x) * unit, static_cast<double>(d.y) * unit, static_cast<double>(d.z) * unit}));
}

}  // namespace

TEST_CASE("every atom has one home, units are whole, and all come back as they were") {
    for (const Case& c : cases()) {
        Part part(c);
        for (int round = 0; round < 3; ++round) {
            const auto owner = owners(part.domain);
            const auto ids = part.domain.ids();
            CHECK(std::is_sorted(ids.begin(), ids.end()));
            for (std::size_t water = 0; water < 700; ++water) {
                CHECK(owner[3 * water] == owner[3 * water + 1]);
                CHECK(owner[3 * water] == owner[3 * water + 2]);
            }
            REQUIRE(part.state.x.size() == ids.size());
            REQUIRE(part.state.v.size() == ids.size());
            for (std::size_t n = 0; n < ids.size(); ++n) {
                CHECK(part.state.x[n] == part.system.state.x[static_cast<std::size_t>(ids[n])]);
                CHECK(part.state.v[n] == part.system.state.v[static_cast<std::size_t>(ids[n])]);
            }
            const std::vector<Vec3d> all = part.domain.collect(part.state.x);
            if (world().leads()) CHECK(all == part.system.state.x);
            const std::vector<Vec3d> back = part.domain.scatter(all);
            CHECK(back == part.state.x);
            part.domain.note_work(1.0 + world().rank());
            part.domain.repartition(part.state);
        }
    }
}

TEST_CASE("each pair within reach is computed on one rank") {
    for (const Case& c : cases()) {
        Part part(c);
        part.surround(c.reach);
        const LocalSystem local = part.domain.local();
        const auto x = part.domain.begin_positions(part.state.x);
        part.domain.finish_positions();
        const double reach = std::min(c.reach, 100.0);
        std::int64_t here = 0, all = 0;
        for (std::size_t p = 0; p < local.atoms.size(); ++p) {
            for (std::size_t q = 0; q < p; ++q) {
                if (distance(part.lattice, x[p], x[q]) > reach) continue;
                here += computed_here(local.atoms, part.lattice, x, p, q) ? 1 : 0;
            }
        }
        const std::vector<Vec3d>& every = part.system.state.x;
        for (std::size_t p = 0; p < every.size(); ++p) {
            for (std::size_t q = 0; q < p; ++q) all += distance(part.lattice, every[p], every[q]) > reach ? 0 : 1;
        }
        world().sum(std::span(&here, 1));
        CHECK(here == all);
        REQUIRE(local.parameters.charge.size() == local.atoms.size());
        for (std::size_t n = 0; n < local.atoms.size(); ++n)
            CHECK(local.parameters.charge[n] == charge_of(local.atoms.ids[n]));
        const AtomParameters home = part.domain.home_parameters();
        REQUIRE(home.size() == local.atoms.home);
        for (std::size_t n = 0; n < home.size(); ++n) CHECK(home.charge[n] == charge_of(home.id[n]));
    }
}

TEST_CASE("halo positions are those of their owners, and forces come back to them") {
    for (const Case& c : cases()) {
        Part part(c);
        part.surround(c.reach);
        const LocalAtoms& atoms = part.domain.local().atoms;
        const auto owner = owners(part.domain);
        std::vector<std::int64_t> copies(owner.size(), 0);
        for (int step = 1; step < 4; ++step) {
            std::vector<Vec3d> coded;
            for (const std::int64_t id : part.domain.ids()) {
                coded.push_back(
                    {static_cast<double>(id), static_cast<double>(world().rank()), static_cast<double>(step)});
            }
            const auto x = part.domain.begin_positions(coded);
            part.domain.progress();
            part.domain.finish_positions();
            REQUIRE(x.size() == atoms.size());
            std::vector<Vec3l> forces;
            for (std::size_t n = 0; n < atoms.size(); ++n) {
                const auto id = static_cast<std::size_t>(atoms.ids[n]);
                CHECK(x[n] ==
                      Vec3d{static_cast<double>(id), static_cast<double>(owner[id]), static_cast<double>(step)});
                forces.push_back({1, atoms.ids[n] * step, std::int64_t{1} << (4 * world().rank())});
            }
            part.domain.return_forces(forces);
            // Where a rank has several copies of an atom it returns the sum of all of them.
            std::vector<std::int64_t> seen(2 * owner.size(), 0);
            for (std::size_t n = 0; n < atoms.size(); ++n) {
                const auto id = static_cast<std::size_t>(atoms.ids[n]);
                ++seen[2 * id];
                seen[2 * id + 1] += std::int64_t{1} << (4 * world().rank());
            }
            world().sum(seen);
            for (std::size_t n = 0; n < atoms.home; ++n) {
                const auto id = static_cast<std::size_t>(atoms.ids[n]);
                CHECK(forces[n] == Vec3l{seen[2 * id], seen[2 * id] * atoms.ids[n] * step, seen[2 * id + 1]});
            }
        }
    }
}

TEST_CASE("of the halo can be sent what is read, and forces on that come back") {
    for (const Case& c : cases()) {
        Part part(c);
        part.surround(c.reach);
        const LocalAtoms& atoms = part.domain.local().atoms;
        const auto reads = [&](std::size_t n) { return n < atoms.home || (atoms.ids[n] + world().rank()) % 5 == 0; };
        std::vector<unsigned char> read;
        for (std::size_t n = 0; n < atoms.size(); ++n) read.push_back(reads(n) ? 1 : 0);
        part.domain.choose_read(read);
        const TrafficCounts before = world().traffic();
        std::vector<std::int64_t> bytes;
        for (const HaloPart which : {HaloPart::read, HaloPart::all, HaloPart::read}) {
            const auto code = [&](std::int64_t id) { return static_cast<double>(id) + 0.25 * bytes.size(); };
            std::vector<Vec3d> coded;
            for (const std::int64_t id : part.domain.ids()) coded.push_back({code(id), 0.0, 0.0});
            const auto x = part.domain.begin_positions(coded, which);
            part.domain.finish_positions();
            std::vector<Vec3l> forces(atoms.size());
            std::vector<std::int64_t> expected(static_cast<std::size_t>(atoms.all), 0);
            for (std::size_t n = 0; n < atoms.size(); ++n) {
                if (which == HaloPart::read && !reads(n)) continue;
                CHECK(x[n].x == code(atoms.ids[n]));
                forces[n].x = 1 + world().rank();
                expected[static_cast<std::size_t>(atoms.ids[n])] += 1 + world().rank();
            }
            part.domain.return_forces(forces);
            world().sum(expected);
            for (std::size_t n = 0; n < atoms.home; ++n) {
                CHECK(forces[n].x == expected[static_cast<std::size_t>(atoms.ids[n])]);
            }
            const TrafficCounts after = world().traffic();
            bytes.push_back(after[Traffic::halo_positions].bytes + after[Traffic::halo_forces].bytes);
        }
        const std::int64_t first = before[Traffic::halo_positions].bytes + before[Traffic::halo_forces].bytes;
        CHECK(bytes[0] - first == bytes[2] - bytes[1]);
        std::vector<std::int64_t> sums{bytes[0] - first, bytes[1] - bytes[0]};
        world().sum(sums);
        if (world().size() > 1) CHECK(10 * sums[0] < 9 * sums[1]);
    }
}

TEST_CASE("a step sends little more than the geometry of the halo asks for") {
    const Case c{Box::rectangular(6, 5, 5.5), 1.1, Balance::off};
    Part part(c);
    part.surround(c.reach);
    const RankGrid& grid = part.domain.regions().grid();
    const TrafficCounts before = world().traffic();
    part.domain.begin_positions(part.state.x);
    part.domain.finish_positions();
    std::vector<Vec3l> forces(part.domain.local().atoms.size());
    part.domain.return_forces(forces);
    const TrafficCounts after = world().traffic();
    const auto sent = [&](Traffic t) { return after[t].bytes - before[t].bytes; };
    CHECK(after[Traffic::halo_positions].messages - before[Traffic::halo_positions].messages <=
          part.domain.halo().pulses());
    CHECK(after[Traffic::halo_forces].messages - before[Traffic::halo_forces].messages <= part.domain.halo().pulses());
    std::vector<std::int64_t> bytes{sent(Traffic::halo_positions), sent(Traffic::halo_forces)};
    world().sum(bytes);
    const Halo::Overhang& over = part.domain.halo().overhang();
    const double reach = c.reach + std::max({over.up.x, over.up.y, over.up.z});
    const double density = static_cast<double>(part.system.state.x.size()) / c.box.volume();
    const double expected = halo_volume(c.box, grid, reach) * density * regions_of(grid) * sizeof(Vec3d);
    CHECK(bytes[0] == bytes[1]);
    CHECK(static_cast<double>(bytes[0]) <= 1.3 * expected);
}
