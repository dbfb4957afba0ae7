// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/minimiser.h"

#include <random>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/fixed_point.h"
#include "domain/local/local_terms.h"
#include "integrate/dealt_system.h"
#include "world.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

// Every atom is drawn to its place, the farther it is the harder, more along some axes than along others.
class Valley {
  public:
    Valley(const System& system, double hardness, const Comm& comm)
        : system_(system), hardness_(hardness), comm_(comm) {}

    Landscape operator()(std::span<const Vec3d> x, const std::vector<std::int64_t>& ids) {
        forces_.clear();
        fixed::EnergySum energy;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d d = x[i] - system_.x[static_cast<std::size_t>(ids[i])];
            const double r2 = norm2(d), stiff = hardness_ * (1.0 + static_cast<double>(ids[i] % 7));
            const Vec3d f = -(stiff * (1.0 + 100.0 * r2)) * d - Vec3d{4e4 * d.x, 0, 0};
            forces_.push_back({fixed::force(f.x), fixed::force(f.y), fixed::force(f.z)});
            energy.add(stiff * (0.5 * r2 + 25.0 * r2 * r2) + 2e4 * d.x * d.x);
        }
        comm_.sum(std::span(&energy, 1));
        return {energy.value(), true, forces_};
    }

  private:
    const System& system_;
    double hardness_;  // [kJ/mol/nm^2]
    const Comm& comm_;
    std::vector<Vec3l> forces_;
};

struct Found {
    std::vector<Vec3d> x;
    MinimiserReport report;
    SharedPlaces shared;
};

// All ranks of a Comm minimise one system; after every block other units are at home.
Found minimise(const System& system, const AtomParameters& all, const std::vector<Vec3d>& x, double hardness,
               const Comm& comm) {
    AtomParameters home = of_home(all, dealt(system.topology, comm, 0));
    Minimiser minimiser(system.topology, home, {1e-3, 120}, comm);
    Valley valley(system, hardness, comm);
    const Evaluate evaluate = [&](std::span<const Vec3d> at) { return valley(at, home.id); };
    Found found;
    std::vector<Vec3d> of_rank = of_home(x, home.id);
    found.shared = minimiser.separate(system.box, of_rank);
    for (unsigned deal = 1; found.report.end == MinimiserEnd::running; ++deal) {
        found.report = minimiser.run_block(of_rank, found.report.steps, evaluate);
        found.x = of_all(of_rank, home.id, comm);
        home = of_home(all, dealt(system.topology, comm, deal));
        of_rank = of_home(found.x, home.id);
        minimiser.assign(home);
    }
    return found;
}

// Pairs of atoms at a very short fixed distance along x.
System short_pairs() {
    MoleculeType pair;
    pair.atoms.resize(2);
    pair.atoms[0].mass = pair.atoms[1].mass = 12.0;
    pair.constraints = {{0, 1, 0.015}};
    System system{{}, Box::rectangular(8, 8, 8), {}};
    system.topology.types = {pair};
    system.topology.blocks = {{0, 20}};
    for (int i = 0; i < 20; ++i) {
        system.x.push_back({0.3 * i, 0, 0});
        system.x.push_back({0.3 * i + 0.015, 0, 0});
    }
    return system;
}

// Two ions at the same place, and two waters, of which one is a box away.
std::vector<Vec3d> crowded(const System& system) {
    std::vector<Vec3d> x = system.x;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> shift(-0.01, 0.01);
    for (Vec3d& r : x) r += Vec3d{shift(random), shift(random), shift(random)};
    x[x.size() - 2] = x[x.size() - 30];
    const std::size_t water = static_cast<std::size_t>(system.topology.types[0].size());
    for (std::size_t i = 0; i < 3; ++i) x[water + i] = x[water + 300 + i] + system.box.rows()[2];
    return x;
}

}  // namespace

TEST_CASE("the minimiser goes the same way however units are dealt out to ranks") {
    const System system = protein_water_salt();
    const std::vector<Vec3d> start = crowded(system);
    const AtomParameters all = all_atoms(system.topology, Frozen::some);
    const double hardness = 2e4;
    const Comm alone;
    const Found spread = minimise(system, all, start, hardness, world()),
                whole = minimise(system, all, start, hardness, alone);
    CHECK(spread.x == whole.x);
    CHECK(spread.report.steps == whole.report.steps);
    CHECK(spread.report.end == whole.report.end);
    CHECK(spread.report.energy == whole.report.energy);
    CHECK(spread.report.max_force == whole.report.max_force);
    CHECK(spread.report.max_force_atom == whole.report.max_force_atom);
    CHECK(spread.shared.atoms == whole.shared.atoms);
    CHECK(spread.shared.first == whole.shared.first);
    CHECK(whole.shared.atoms == 8);
    CHECK(whole.report.steps > Minimiser::block);
}

// The first step would move the ends of one of them by more than its length, so that its rank alone cannot reset them.
TEST_CASE("a move that one rank cannot constrain is too long for all") {
    const System system = short_pairs();
    const AtomParameters all = make_atom_parameters(system.topology);
    std::vector<Vec3d> start = system.x;
    for (std::size_t i = 0; i < start.size(); ++i) start[i].z += 0.002 * static_cast<double>(i / 2 % 3);
    const Vec3d centre = 0.5 * (start[8] + start[9]);
    start[8] = centre - Vec3d{0, 0.0075, 0};
    start[9] = centre + Vec3d{0, 0.0075, 0};
    const double hardness = 5e6;
    const Comm alone;
    const Found spread = minimise(system, all, start, hardness, world()),
                whole = minimise(system, all, start, hardness, alone);
    CHECK(spread.x == whole.x);
    CHECK(spread.report.steps == whole.report.steps);
    CHECK(spread.report.end == MinimiserEnd::converged);
    CHECK(norm(whole.x[9] - system.x[9]) < 1e-6);
}

TEST_CASE("in vacuum atoms at the same place are found on any ranks") {
    System system = protein_water_salt();
    system.box = Box();
    // Sodium ions on chloride ions, and one atom far away, which makes the lattice larger for all.
    std::vector<Vec3d> start = system.x;
    const std::size_t sodium = start.size() - 36, chloride = start.size() - 18;
    for (std::size_t i = 0; i < 8; ++i) start[sodium + i] = start[chloride + i];
    start.back().x += 60.0;
    const Comm alone;
    const auto moved = [&](const Comm& comm) {
        const AtomParameters home = of_home(all_atoms(system.topology, Frozen::none), dealt(system.topology, comm, 0));
        const Minimiser minimiser(system.topology, home, {1.0, 10}, comm);
        std::vector<Vec3d> x = of_home(start, home.id);
        CHECK(minimiser.separate(system.box, x).atoms == 16);
        return of_all(x, home.id, comm);
    };
    const std::vector<Vec3d> spread = moved(world());
    CHECK(spread == moved(alone));
    CHECK(!(spread == start));
}

TEST_CASE("a position that is not a number is named by all ranks") {
    const System system = protein_water_salt();
    std::vector<Vec3d> x = system.x;
    x[77].y = std::nan("");
    const AtomParameters home = of_home(all_atoms(system.topology, Frozen::none), dealt(system.topology, world(), 0));
    Minimiser minimiser(system.topology, home, {1.0, 10}, world());
    Valley valley(system, 2e4, world());
    std::vector<Vec3d> of_rank = of_home(x, home.id);
    std::string words;
    try {
        minimiser.run_block(of_rank, 0, [&](std::span<const Vec3d> at) { return valley(at, home.id); });
    } catch (const Error& error) {
        words = error.what();
    }
    CHECK(words.find("MD552") != std::string::npos);
    CHECK(words.find("number 78 of the input") != std::string::npos);
}
