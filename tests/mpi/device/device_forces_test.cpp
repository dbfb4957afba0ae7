// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_forces.h"

#include <cmath>
#include <numeric>

#include <catch2/catch.hpp>

#include "forces/force_set.h"
#include "forces/mesh/ranks/rank_mesh_term.h"
#include "forces/pair_settings.h"
#include "short_range/liquid.h"
#include "short_range/liquid_topology.h"
#include "world.h"

using namespace mdsim;
using test::Liquid;
using test::pme;

namespace {

mesh::MeshSettings mesh_settings() {
    const mesh::PmeParameters parameters{.splitting = pme().ewald_splitting, .mesh = {24, 25, 27}, .order = 5};
    return mesh::pme_settings(parameters, pme().coulomb_constant);
}

/// Forces of a device for the liquid's atoms on these ranks.
struct OnRanks {
    const Topology& topology;
    State state;
    Domain domain;
    std::unique_ptr<ForceSet> forces;

    OnRanks(const Comm& ranks, const Liquid& liquid, const Topology& of_liquid, DomainSettings settings)
        : topology(of_liquid), domain(ranks, topology, settings) {
        state.box = liquid.box;
        if (ranks.leads()) {
            state.x = liquid.x;
            state.v.resize(liquid.x.size());
        }
        domain.distribute(state);
    }
    void make_forces(const gpu::HostSettings& settings, Transport transport, const std::vector<int>& solvers) {
        const std::vector<int> types{0, 1, 2};
        const ShortRangeSystem pairs{topology.force_field, types, {}, {}, pme()};
        DeviceSystem system{
            .pairs = pairs, .lists = {}, .mesh = mesh_settings(), .charges = {}, .on_host = {}, .ranks = {}};
        system.on_host.push_back(std::make_unique<ShortRange>(pairs, PairPrecision::double_));
        if (domain.split()) {
            system.on_host.push_back(std::make_unique<mesh::RankMeshTerm<double>>(
                mesh_settings(), domain.comm(), mesh::MeshPlaces{domain.regions().grid(), solvers}));
            system.ranks = DeviceRanks{&domain, solvers, transport};
        } else {
            system.on_host.push_back(
                std::make_unique<mesh::MeshTerm<double>>(mesh_settings(), std::span<const double>()));
        }
        ForceTerms terms;
        terms.device.push_back(std::make_unique<DeviceForces>(gpu::host_device(), settings, std::move(system)));
        forces = std::make_unique<ForceSet>(std::move(terms), domain, 0);
    }
    // Both halves of the box, as they were at first, nearer to the plane between them.
    void close(const Liquid& liquid, double distance) {
        const double middle = 0.5 * liquid.box.heights().x;
        for (std::size_t n = 0; n < state.x.size(); ++n) {
            const auto molecule = static_cast<std::size_t>(domain.ids()[n] / 3 * 3);
            state.x[n].x += liquid.x[molecule].x < middle ? distance : -distance;
        }
    }
    // On the leading rank those of all atoms, in order.
    std::vector<Vec3l> of_all(std::span<const Vec3l> of_home) const {
        std::vector<Vec3d> exact;  // below 2^53
        for (const Vec3l& f : of_home) {
            exact.push_back({static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z)});
        }
        std::vector<Vec3l> all;
        for (const Vec3d& f : domain.collect(exact)) {
            all.push_back({std::llround(f.x), std::llround(f.y), std::llround(f.z)});
        }
        return all;
    }
};

// Without the molecules about the plane in the middle, so that the two halves may come nearer to each other.
Liquid two_halves(const Liquid& liquid) {
    Liquid halves(liquid.box, 0, test::Rule::lorentz_berthelot, 1);
    const double middle = 0.5 * liquid.box.heights().x;
    for (std::size_t i = 0; i < liquid.x.size(); i += 3) {
        if (std::abs(liquid.x[i].x - middle) < 0.35) continue;
        const int first = static_cast<int>(halves.x.size());
        for (std::size_t k = i; k < i + 3; ++k) {
            halves.x.push_back(liquid.x[k]);
            halves.types.push_back(liquid.types[k]);
            halves.charges.push_back(liquid.charges[k]);
        }
        halves.exclusions.insert(halves.exclusions.end(),
                                 {{first, first + 1}, {first, first + 2}, {first + 1, first + 2}});
    }
    return halves;
}

// The last rank alone, or all.
std::vector<int> solvers(int seed) {
    if (seed % 2 == 0) return {world().size() - 1};
    std::vector<int> all(static_cast<std::size_t>(world().size()));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

constexpr StepPlan everything(std::int64_t step) {
    return {.step = step, .energies = Need::yes, .virial = Need::yes};
}

}  // namespace

// To and fro, so far that lists have to be pruned and halos hold.
TEST_CASE("devices of several ranks compute what one does, step after step") {
    const Liquid liquid = two_halves({Box::rectangular(3.1, 3.3, 3.0), 500, test::Rule::lorentz_berthelot, 3});
    const Topology topology = test::topology_of(liquid);
    const Comm alone;
    int seed = 0;
    for (const Transport transport : {Transport::direct, Transport::staged}) {
        for (const DomainSettings& regions :
             {DomainSettings{.reach = 1.4, .balance = Balance::off},
              DomainSettings{.reach = 1.4, .balance = Balance::forced}, DomainSettings{.grid = RankGrid{1, 1, 1}}}) {
            OnRanks one(alone, liquid, topology, {}), many(world(), liquid, topology, regions);
            gpu::HostSettings settings;
            one.make_forces(settings, transport, {0});
            settings.order = gpu::ThreadOrder::shuffled;
            settings.seed = static_cast<std::uint64_t>(++seed + 100 * world().rank());
            many.make_forces(settings, transport, solvers(seed));
            for (std::int64_t step = 0; step < 6; ++step) {
                const StepPlan plan = step % 3 == 0 ? everything(step) : StepPlan{.step = step};
                const ForceSink& expected = one.forces->evaluate(one.state, plan);
                const ForceSink& found = many.forces->evaluate(many.state, plan);
                const std::vector<Vec3l> all = many.of_all(found.forces());
                if (world().leads()) CHECK(all == one.of_all(expected.forces()));
                if (step % 3 == 0) CHECK(found.energies().potential() == expected.energies().potential());
                if (step % 3 == 0) CHECK(found.energies().virial()[1][2] == expected.energies().virial()[1][2]);
                if (step == 4) {
                    many.domain.repartition(many.state);
                    many.forces->atoms_changed();
                }
                const double distance = step % 4 < 2 ? 0.06 : -0.06;
                one.close(liquid, distance);
                many.close(liquid, distance);
            }
        }
    }
}
