// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/minimiser.h"

#include <random>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/fixed_point.h"
#include "integrate/dealt_system.h"
#include "world.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

// Every atom is drawn to its place, the farther it is the harder, more along some axes than along others.
class Valley {
  public:
    Valley(const System& system, const Comm& comm) : system_(system), comm_(comm) {}

    Landscape operator()(std::span<const Vec3d> x, const std::vector<std::int64_t>& ids) {
        forces_.clear();
        fixed::EnergySum energy;
        for (std::size_t i = 0; i < x.size(); ++i) {
            const Vec3d d = x[i] - system_.x[static_cast<std::size_t>(ids[i])];
            const double r2 = norm2(d), stiff = 2e4 * (1.0 + static_cast<double>(ids[i] % 7));
            const Vec3d f = -(stiff * (1.0 + 100.0 * r2)) * d - Vec3d{4e4 * d.x, 0, 0};
            forces_.push_back({fixed::force(f.x), fixed::force(f.y), fixed::force(f.z)});
            energy.add(stiff * (0.5 * r2 + 25.0 * r2 * r2) + 2e4 * d.x * d.x);
        }
        comm_.sum(std::span(&energy, 1));
        return {energy.value(), true, forces_};
    }

  private:
    const System& system_;
    const Comm& comm_;
    std::vector<Vec3l> forces_;
};

struct Found {
    std::vector<Vec3d> x;
    MinimiserReport report;
    SharedPlaces shared;
};

// All ranks of a Comm minimise one system; after every block other units are at home.
Found minimise(const System& system, std::vector<Vec3d> x, const Comm& comm) {
    const AtomParameters all = all_atoms(system.topology, Frozen::some);
    AtomParameters home = of_home(all, dealt(system.topology, comm, 0));
    Minimiser minimiser(system.topology, home, {1e-3, 120}, comm);
    Valley valley(system, comm);
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
    const Comm alone;
    const Found spread = minimise(system, start, world()), whole = minimise(system, start, alone);
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

TEST_CASE("in vacuum atoms at the same place are found on any ranks") {
    System system = protein_water_salt();
    const std::vector<Vec3d> start = [&] {
        std::vector<Vec3d> x = system.x;
        x[x.size() - 2] = x[x.size() - 30];
        x[200] = x[900];
        return x;
    }();
    system.box = Box();
    const Comm alone;
    const auto moved = [&](const Comm& comm) {
        const AtomParameters home = of_home(all_atoms(system.topology, Frozen::none), dealt(system.topology, comm, 0));
        const Minimiser minimiser(system.topology, home, {1.0, 10}, comm);
        std::vector<Vec3d> x = of_home(start, home.id);
        CHECK(minimiser.separate(system.box, x).atoms == 4);
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
    Valley valley(system, world());
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
