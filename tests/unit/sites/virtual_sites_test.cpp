// SPDX-License-Identifier: Apache-2.0
#include "sites/virtual_sites.h"

#include <numeric>
#include <random>

#include <catch2/catch.hpp>
#include <omp.h>

#include "core/fixed_point.h"

using namespace mdsim;

namespace {

constexpr int atoms = 5;

/// Five atoms, a site of each kind, and two that are made from sites, listed before these.
Topology all_kinds() {
    MoleculeType type;
    type.atoms.resize(atoms + 10);
    for (int i = 0; i < atoms; ++i) type.atoms[static_cast<std::size_t>(i)].mass = 12.0;
    type.virtual_sites = {{5, SiteKind::out_of_plane, {6, 7, 0}, {0.3, -0.2, 3.0}},
                          {6, SiteKind::weighted, {0}, {1.0}},
                          {7, SiteKind::weighted, {0, 1, 2, 3, 4}, {0.4, 0.3, -0.1, 0.2, 0.2}},
                          {8, SiteKind::along, {1, 2}, {0.07, 1.0}},
                          {9, SiteKind::along, {2, 0, 3}, {-0.05, 0.7, 0.3}},
                          {10, SiteKind::along, {0, 1, 2, 3}, {0.1, 0.5, 0.2, 0.3}},
                          {11, SiteKind::angle, {3, 1, 4}, {-0.04, 0.08}},
                          {12, SiteKind::normal, {1, 0, 3, 4}, {0.06, 0.8, 0.4}},
                          {13, SiteKind::out_of_plane, {0, 1, 2}, {-0.3, -0.3, 6.0}},
                          {14, SiteKind::weighted, {5, 13}, {0.5, 0.5}}};
    REQUIRE(put_in_order(type.virtual_sites) == -1);
    Topology topology;
    topology.types = {type};
    topology.blocks = {{0, 7}};
    return topology;
}

struct System {
    Topology topology = all_kinds();
    VirtualSites sites{topology};
    std::vector<Vec3d> x, v;

    System() {
        std::vector<std::int64_t> ids(static_cast<std::size_t>(topology.atoms()));
        std::iota(ids.begin(), ids.end(), 0);
        sites.assign(ids);
        std::mt19937 random(7);
        std::uniform_real_distribution<double> u(-0.1, 0.1);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            x.push_back({u(random) + 40.0, u(random), u(random)});
            v.push_back({10.0 * u(random), 10.0 * u(random), 10.0 * u(random)});
        }
        sites.place(x);
    }
    bool is_site(std::size_t i) const { return i % topology.types[0].atoms.size() >= atoms; }
    /// An energy whose slope on every atom and site is its force, with the sites placed again.
    double energy(std::vector<Vec3d> places, const std::vector<Vec3l>& forces) const {
        sites.place(places);
        double sum = 0.0;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Vec3d d = places[i] - x[i];
            sum -= (static_cast<double>(forces[i].x) * d.x + static_cast<double>(forces[i].y) * d.y +
                    static_cast<double>(forces[i].z) * d.z) /
                   fixed::force_scale;
        }
        return sum;
    }
};

std::vector<Vec3l> some_forces(std::size_t n) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> u(-800.0, 800.0);
    std::vector<Vec3l> forces;
    for (std::size_t i = 0; i < n; ++i)
        forces.push_back({fixed::force(u(random)), fixed::force(u(random)), fixed::force(u(random))});
    return forces;
}

}  // namespace

TEST_CASE("forces on the parents of virtual sites are the slopes of the energy") {
    const System s;
    const auto given = some_forces(s.x.size());
    auto forces = given;
    s.sites.spread(s.x, forces, Need::no);
    const double h = 1e-5;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        INFO("atom " << i);
        if (s.is_site(i)) {
            CHECK(forces[i] == Vec3l{});
            continue;
        }
        for (int a = 0; a < 3; ++a) {
            const auto moved = [&](double by) {
                auto places = s.x;
                places[i][a] += by;
                return s.energy(places, given);
            };
            const double slope = (8.0 * (moved(h) - moved(-h)) - (moved(2.0 * h) - moved(-2.0 * h))) / (12.0 * h);
            CHECK(static_cast<double>(forces[i][a]) / fixed::force_scale == Approx(-slope).margin(1e-4));
        }
    }
}

TEST_CASE("spreading keeps the total force to the bit, with any number of threads") {
    const System s;
    const auto given = some_forces(s.x.size());
    const auto total = [](const std::vector<Vec3l>& f) { return std::accumulate(f.begin(), f.end(), Vec3l{}); };
    const int before = omp_get_max_threads();
    std::vector<Vec3l> first;
    EnergySums virial;
    for (int threads = 1; threads <= 4; ++threads) {
        omp_set_num_threads(threads);
        auto forces = given;
        const EnergySums sums = s.sites.spread(s.x, forces, Need::yes);
        CHECK(total(forces) == total(given));
        if (threads == 1) {
            first = forces;
            virial = sums;
        }
        CHECK(forces == first);
        CHECK(sums.virial() == virial.virial());
    }
    omp_set_num_threads(before);
}

TEST_CASE("the virial after spreading is the slope of the energy under strain of the atoms") {
    const System s;
    const auto given = some_forces(s.x.size());
    auto forces = given;
    EnergySums sums = s.sites.spread(s.x, forces, Need::yes);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        const Vec3d f{static_cast<double>(given[i].x), static_cast<double>(given[i].y),
                      static_cast<double>(given[i].z)};
        sums.add_virial((1.0 / fixed::force_scale) * f, s.x[i]);
    }
    const double h = 1e-6;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            const auto strained = [&](double by) {
                auto places = s.x;
                for (Vec3d& r : places) r[a] += by * r[b];
                return s.energy(places, given);
            };
            const double slope = (8.0 * (strained(h) - strained(-h)) - (strained(2 * h) - strained(-2 * h))) / (12 * h);
            INFO("strain " << a << b);
            CHECK(sums.virial()[static_cast<std::size_t>(a)][b] == Approx(-slope).margin(2e-3).epsilon(1e-7));
        }
    }
}

TEST_CASE("velocities of virtual sites are those with which their parents take them along") {
    System s;
    const double dt = 1e-5;
    auto v = s.v;
    s.sites.settle(s.x, v);
    auto before = s.x, after = s.x;
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        if (s.is_site(i)) continue;
        CHECK(v[i] == s.v[i]);
        before[i] -= 0.5 * dt * v[i];
        after[i] += 0.5 * dt * v[i];
    }
    s.sites.place(before);
    auto followed = v;
    s.sites.follow(before, after, followed, dt);
    for (std::size_t i = 0; i < s.x.size(); ++i) {
        INFO("atom " << i);
        CHECK(norm(followed[i] - v[i]) < 1e-6);
        if (s.is_site(i)) CHECK(norm(after[i] - (before[i] + dt * followed[i])) < 1e-12);
    }
}

TEST_CASE("a rank with some of the molecules places and spreads their sites as all ranks together do") {
    const System s;
    const auto given = some_forces(s.x.size());
    auto all = given;
    s.sites.spread(s.x, all, Need::no);
    // Of the third molecule every atom, of the sixth too; none of the others.
    const auto size = static_cast<std::int64_t>(s.topology.types[0].atoms.size());
    std::vector<std::int64_t> ids;
    for (const std::int64_t molecule : {2, 5}) {
        for (std::int64_t i = 0; i < size; ++i) ids.push_back(molecule * size + i);
    }
    VirtualSites sites(s.topology);
    sites.assign(ids);
    std::vector<Vec3d> x;
    std::vector<Vec3l> forces;
    for (const std::int64_t id : ids) {
        const auto i = static_cast<std::size_t>(id);
        x.push_back(s.is_site(i) ? Vec3d{} : s.x[i]);
        forces.push_back(given[i]);
    }
    sites.place(x);
    sites.spread(x, forces, Need::no);
    for (std::size_t n = 0; n < ids.size(); ++n) {
        CHECK(x[n] == s.x[static_cast<std::size_t>(ids[n])]);
        CHECK(forces[n] == all[static_cast<std::size_t>(ids[n])]);
    }
}

TEST_CASE("sites that are made from each other are refused, and those made twice") {
    std::vector<VirtualSite> ring{{3, SiteKind::weighted, {4}, {1.0}}, {4, SiteKind::weighted, {3}, {1.0}}};
    CHECK(put_in_order(ring) >= 3);
    std::vector<VirtualSite> twice{{3, SiteKind::weighted, {0}, {1.0}}, {3, SiteKind::weighted, {1}, {1.0}}};
    CHECK(put_in_order(twice) == 3);
    CHECK(twice.size() == 2);
}
