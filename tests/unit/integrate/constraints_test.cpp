// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/constraints/constraint_set.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

void constrain_all(const ConstraintSet& set, const ConstraintSet::Positions& p) {
    for (const AtomSlice& slice : set.slices()) set.constrain(slice, p);
}

double distance(const std::vector<Vec3d>& x, std::size_t i, std::size_t j) {
    return norm(x[i] - x[j]);
}

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double most = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, norm(a[i] - b[i]));
    return most;
}

std::vector<Vec3d> moved(std::vector<Vec3d> x, double size, unsigned seed) {
    const auto d = noise(x.size(), size, seed);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += d[i];
    return x;
}

}  // namespace

// Atoms of equal mass at (-0.05, 0, 0) and (0.05, 0, 0), moved to y = -0.01 and 0.01: the bond along x must shrink
// to sqrt(0.1^2 - 0.02^2).
TEST_CASE("a bond is reset along its old direction") {
    MoleculeType pair = ethyl();
    pair.atoms.resize(2);
    pair.atoms[1].mass = pair.atoms[0].mass;
    pair.bonds.clear();
    pair.constraints = {{0, 1, 0.1}};
    const Topology t = topology({pair}, {1});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    const std::vector<Vec3d> reference{{-0.05, 0, 0}, {0.05, 0, 0}};
    std::vector<Vec3d> x{{-0.05, -0.01, 0}, {0.05, 0.01, 0}}, v(2);
    EnergySums virial;
    constrain_all(set, {reference, x, v, 500.0, &virial});
    const double half = 0.5 * std::sqrt(0.01 - 0.0004);
    CHECK(x[1].x == Approx(half).epsilon(1e-14));
    CHECK(x[0].x == Approx(-half).epsilon(1e-14));
    CHECK(x[1].y == Approx(0.01).epsilon(1e-14));
    CHECK(v[1].x == Approx(500.0 * (half - 0.05)).epsilon(1e-12));
    // Force on atom 1: m dx / dt^2 along x; virial: force times the bond of 0.1 nm.
    CHECK(virial.virial()[0].x == Approx(12.01 * 250000.0 * (half - 0.05) * 0.1).epsilon(1e-9));
    CHECK(virial.virial()[1].y == 0.0);
}

TEST_CASE("SETTLE agrees with the iterative solver") {
    const int count = 300;
    const auto reference = water_positions(count, 1);
    const auto free = moved(reference, 0.004, 2);
    const Topology settled = topology({rigid_water()}, {count}), grouped = topology({constrained_water()}, {count});
    const AtomParameters p = parameters(settled);
    const ConstraintSet settle(settled, p), group(grouped, p);
    REQUIRE(settle.waters() == 300);
    REQUIRE(group.groups() == 300);

    auto x1 = free, x2 = free;
    std::vector<Vec3d> v1(free.size()), v2(free.size());
    EnergySums w1, w2;
    constrain_all(settle, {reference, x1, v1, 500.0, &w1});
    constrain_all(group, {reference, x2, v2, 500.0, &w2});
    // The iterative solver stops at its relative tolerance; SETTLE is exact.
    const double allowed = 2.0 * constraint_tolerance * 0.15139;
    CHECK(largest_difference(x1, x2) < allowed);
    CHECK(largest_difference(v1, v2) < 500.0 * allowed);
    double worst = 0.0;
    for (std::size_t i = 0; i < x1.size(); i += 3) {
        worst = std::max({worst, std::abs(distance(x1, i, i + 1) - 0.09572), std::abs(distance(x1, i, i + 2) - 0.09572),
                          std::abs(distance(x1, i + 1, i + 2) - 0.15139)});
    }
    CHECK(worst < 1e-14);
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            const auto row = static_cast<std::size_t>(a);
            CHECK(w1.virial()[row][b] == Approx(w2.virial()[row][b]).epsilon(1e-8).margin(1e-4));
        }
    }
}

TEST_CASE("velocities lose what runs along the bonds, and no momentum") {
    const int count = 100;
    const auto x = water_positions(count, 3);
    const auto free = noise(x.size(), 0.5, 4);
    const Topology settled = topology({rigid_water()}, {count}), grouped = topology({constrained_water()}, {count});
    const AtomParameters p = parameters(settled);
    const ConstraintSet settle(settled, p), group(grouped, p);
    auto v1 = free, v2 = free;
    settle.project_velocities(x, v1);
    group.project_velocities(x, v2);
    CHECK(largest_difference(v1, v2) < 1e-13);
    double along = 0.0;
    Vec3d lost{};
    for (std::size_t i = 0; i < x.size(); i += 3) {
        for (const auto& [a, b] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
            const auto j = i + static_cast<std::size_t>(a), k = i + static_cast<std::size_t>(b);
            along = std::max(along, std::abs(dot(x[j] - x[k], v1[j] - v1[k])));
        }
        for (std::size_t a = i; a < i + 3; ++a) lost += p.mass[a] * (v1[a] - free[a]);
    }
    CHECK(along < 1e-15);
    CHECK(norm(lost) < 1e-11);
}

TEST_CASE("hydrogens of one carbon are solved together") {
    MoleculeType type = ethyl();
    for (int h = 1; h <= 3; ++h) type.constraints.push_back({0, h, 0.109});
    const Topology t = topology({type}, {40});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    REQUIRE(set.groups() == 40);
    std::vector<Vec3d> reference;
    for (int i = 0; i < 40; ++i) append_ethyl(reference, {0.5 * i, 0, 0});
    auto x = moved(reference, 0.01, 5);
    const auto free = x;
    constrain_all(set, {reference, x, {}, 0.0, nullptr});
    double worst = 0.0;
    Vec3d shift{};
    for (std::size_t i = 0; i < x.size(); i += 5) {
        for (std::size_t h = 1; h <= 3; ++h) worst = std::max(worst, std::abs(distance(x, i, i + h) / 0.109 - 1.0));
        for (std::size_t a = 0; a < 5; ++a) shift += p.mass[i + a] * (x[i + a] - free[i + a]);
    }
    CHECK(worst < constraint_tolerance);
    CHECK(norm(shift) < 1e-13);
    CHECK(x[4] == free[4]);
}

TEST_CASE("a water's bits do not depend on its neighbours or on threads") {
    const int count = 1000;
    const auto reference = water_positions(count, 6);
    const auto free = moved(reference, 0.003, 7);
    const Topology t = topology({rigid_water()}, {count});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    auto all = free;
    constrain_all(set, {reference, all, {}, 0.0, nullptr});
    for (const int first : {0, 1, 63, 500, 999}) {
        const Topology one = topology({rigid_water()}, {1});
        const AtomParameters p1 = parameters(one);
        const ConstraintSet alone(one, p1);
        const auto at = static_cast<std::ptrdiff_t>(3 * first);
        const std::vector<Vec3d> r(reference.begin() + at, reference.begin() + at + 3);
        std::vector<Vec3d> x(free.begin() + at, free.begin() + at + 3);
        constrain_all(alone, {r, x, {}, 0.0, nullptr});
        CHECK(std::equal(x.begin(), x.end(), all.begin() + at));
    }
    for (int threads = 1; threads <= 4; ++threads) {
        const Threads with(threads);
        auto v = noise(free.size(), 0.5, 8), again = v;
        set.project_velocities(reference, v);
        for (const AtomSlice& slice : set.slices()) {
            set.constrain(slice, ConstraintSet::Velocities{reference, again, 0.0, nullptr});
        }
        CHECK(v == again);
    }
}

// As a rank has them: some units of each molecule, of which chains are far too long to be at home as a whole.
TEST_CASE("the units of home atoms have the bits that they have among all others") {
    MoleculeType chain = ethyl();
    for (int i = 0; i < 300; ++i) {
        chain.atoms.push_back(atom("C", 6, 12.01));
        chain.atoms.push_back(atom("H", 1, 1.008));
        const int carbon = 5 + 2 * i;
        chain.constraints.push_back({i % 3 == 0 ? carbon + 1 : carbon, i % 3 == 0 ? carbon : carbon + 1, 0.109});
    }
    chain.constraints.push_back({3, 500, 0.2});  // a unit whose atoms are far from each other
    chain.bonds.clear();
    const Topology t = topology({chain, rigid_water(), single("NA", 22.99), constrained_water()}, {2, 300, 5, 40});
    AtomParameters all = parameters(t);
    for (const std::size_t i : {5, 40, 41, 703, 1210, 1300, 1304}) all.inverse_mass[i] = 0.0;
    const std::vector<Vec3d> reference = [&] {
        std::vector<Vec3d> x;
        for (int i = 0; i < 2 * 605; ++i) x.push_back({0.1 * i, 0.109 * (i % 2), 0.05 * (i % 3)});
        const auto waters = water_positions(340, 12);
        x.insert(x.end(), waters.begin(), waters.begin() + 900);
        for (int i = 0; i < 5; ++i) x.push_back({0, 0, 1.0 * i});
        x.insert(x.end(), waters.begin() + 900, waters.end());
        return x;
    }();
    REQUIRE(reference.size() == all.size());
    const auto free = noise(all.size(), 0.3, 13);
    const ConstraintSet whole(t, all);
    auto v = free;
    EnergySums virial;
    for (const AtomSlice& s : whole.slices()) whole.constrain(s, ConstraintSet::Velocities{reference, v, 1.0, &virial});

    std::mt19937 random(14);
    ConstraintSet part(t, all);
    EnergySums parts_virial;
    std::vector<int> rank_of(all.size());
    for (const AtomSlice& s : whole.slices()) {
        whole.for_each_unit(s, [&](std::span<const std::int32_t> unit) {
            const auto rank = static_cast<int>(random() % 3);
            for (const std::int32_t i : unit) rank_of[static_cast<std::size_t>(i)] = rank;
        });
    }
    std::size_t units = 0;
    for (const int rank : {0, 1, 2}) {
        AtomParameters home;
        std::vector<Vec3d> x, v_home;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (rank_of[i] != rank) continue;
            home.id.push_back(all.id[i]);
            home.inverse_mass.push_back(all.inverse_mass[i]);
            x.push_back(reference[i]);
            v_home.push_back(free[i]);
        }
        part.assign(home);
        for (const AtomSlice& s : part.slices())
            part.constrain(s, ConstraintSet::Velocities{x, v_home, 1.0, &parts_virial});
        units += part.waters() + part.groups();
        bool same = true;
        for (std::size_t i = 0; i < home.id.size(); ++i)
            same = same && v_home[i] == v[static_cast<std::size_t>(home.id[i])];
        CHECK(same);
        CHECK((part.slices().empty() ? 0 : part.slices().back().atom_end) == home.id.size());
    }
    CHECK(units == whole.waters() + whole.groups());
    CHECK(parts_virial.virial() == virial.virial());
    CHECK(!(v == free));
}

TEST_CASE("slices cover the atoms and cut no group") {
    MoleculeType chain = ethyl();  // carbon 0 with hydrogens far away in the numbering
    for (int i = 0; i < 2000; ++i) chain.atoms.push_back(atom("X", 6, 12.01));
    chain.bonds.clear();
    chain.constraints = {{0, 1500, 0.109}, {4, 5, 0.1}, {1600, 1601, 0.1}};
    const Topology t = topology({chain, rigid_water(), single("AR", 39.95)}, {1, 700, 3000});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    std::size_t atoms = 0, waters = 0, groups = 0, units = 0;
    for (const AtomSlice& s : set.slices()) {
        CHECK(s.atom_begin == atoms);
        CHECK(s.water_begin == waters);
        CHECK(s.group_begin == groups);
        atoms = s.atom_end;
        waters = s.water_end;
        groups = s.group_end;
        set.for_each_unit(s, [&](std::span<const std::int32_t> unit) {
            for (const std::int32_t a : unit) {
                REQUIRE(static_cast<std::size_t>(a) >= s.atom_begin);
                REQUIRE(static_cast<std::size_t>(a) < s.atom_end);
            }
            units += unit.size();
        });
    }
    CHECK(atoms == p.size());
    CHECK(waters == set.waters());
    CHECK(groups == 3);
    CHECK(units == p.size());
    CHECK(set.slices().size() > 5);
}

TEST_CASE("frozen atoms stay, their partners follow") {
    const Topology t = topology({rigid_water()}, {2});
    AtomParameters p = parameters(t);
    p.inverse_mass[0] = 0.0;                                      // an oxygen
    for (std::size_t i = 3; i < 6; ++i) p.inverse_mass[i] = 0.0;  // a whole water
    const ConstraintSet set(t, p);
    CHECK(set.waters() == 0);
    CHECK(set.groups() == 1);
    const auto reference = water_positions(2, 9);
    auto x = reference;
    x[1] += Vec3d{0.003, 0.001, 0};
    x[2] += Vec3d{0, 0.002, -0.002};
    constrain_all(set, {reference, x, {}, 0.0, nullptr});
    CHECK(x[0] == reference[0]);
    CHECK(distance(x, 0, 1) == Approx(0.09572).epsilon(1e-10));
    CHECK(distance(x, 1, 2) == Approx(0.15139).epsilon(1e-10));
    CHECK(x[4] == reference[4]);
}

TEST_CASE("constraints that cannot be met name the residue") {
    MoleculeType type = ethyl();
    for (int h = 1; h <= 3; ++h) type.constraints.push_back({0, h, 0.109});
    const Topology t = topology({rigid_water(), type}, {1, 1});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    auto reference = water_positions(1, 10);
    append_ethyl(reference, {1, 1, 1});
    const auto message = [&](std::size_t atom_number) {
        auto x = reference;
        x[atom_number] += Vec3d{3, 4, 5};
        try {
            constrain_all(set, {reference, x, {}, 0.0, nullptr});
        } catch (const Error& error) {
            CHECK(error.exit_code() == ExitCode::unstable);
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message(4).find("ETH 7") != std::string::npos);
    CHECK(message(1).find("WAT 1") != std::string::npos);
}

TEST_CASE("groups that are too large or overdetermined are refused") {
    MoleculeType chain = single("C", 12.01);
    for (int i = 1; i < 65; ++i) {
        chain.atoms.push_back(chain.atoms[0]);
        chain.constraints.push_back({i - 1, i, 0.15});
    }
    const auto code_of = [](const MoleculeType& type) {
        const Topology t = topology({type}, {1});
        const AtomParameters p = parameters(t);
        try {
            const ConstraintSet set(t, p);
        } catch (const Error& error) {
            return error.problems().front().code;
        }
        return std::string("accepted");
    };
    CHECK(code_of(chain) == "MD451");
    chain.atoms.pop_back();
    chain.constraints.pop_back();
    CHECK(code_of(chain) == "accepted");
    MoleculeType triangle = constrained_water();
    triangle.constraints.push_back({0, 1, 0.09572});
    CHECK(code_of(triangle) == "MD452");
}

TEST_CASE("a chain of 64 atoms is solved") {
    MoleculeType chain = single("C", 12.01);
    std::vector<Vec3d> reference{{0, 0, 0}};
    for (int i = 1; i < 64; ++i) {
        chain.atoms.push_back(chain.atoms[0]);
        chain.constraints.push_back({i - 1, i, 0.15});
        reference.push_back(reference.back() + Vec3d{0.12, i % 2 == 0 ? 0.09 : -0.09, 0});
    }
    const Topology t = topology({chain}, {1});
    const AtomParameters p = parameters(t);
    const ConstraintSet set(t, p);
    auto x = moved(reference, 0.003, 11);
    constrain_all(set, {reference, x, {}, 0.0, nullptr});
    double worst = 0.0;
    for (std::size_t i = 1; i < 64; ++i) worst = std::max(worst, std::abs(distance(x, i - 1, i) / 0.15 - 1.0));
    CHECK(worst < constraint_tolerance);
}
