// SPDX-License-Identifier: Apache-2.0
#include "integrate/minimise/minimiser.h"

#include <numeric>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/systems.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

// Lennard-Jones (sigma 0.3 nm, epsilon 1 kJ/mol) between the atoms listed, those of one molecule apart, plus a weak
// spring to the origin for all. What a pair adds is held at 2^28 as the pair kernels do, and is not usable then.
class Liquid {
  public:
    Liquid(const Topology& topology, std::size_t stride) {
        topology.for_each_molecule([&](const MoleculeType& type, std::int64_t first, std::int64_t molecule) {
            for (std::int64_t i = 0; i < type.size(); i += static_cast<std::int64_t>(stride)) {
                centres_.push_back(static_cast<std::size_t>(first + i));
                molecules_.push_back(molecule);
            }
        });
    }

    Landscape operator()(std::span<const Vec3d> x) {
        std::vector<Vec3d> f(x.size());
        double energy = 0.0;
        held_ = false;
        for (std::size_t i = 0; i < x.size(); ++i) {
            f[i] = -5.0 * x[i];
            energy += 2.5 * norm2(x[i]);
        }
        for (std::size_t a = 0; a < centres_.size(); ++a) {
            for (std::size_t b = 0; b < a; ++b) {
                if (molecules_[a] != molecules_[b]) energy += add_pair(x, centres_[a], centres_[b], f);
            }
        }
        forces_.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) forces_[i] = fixed_force(f[i]);
        ++evaluations;
        return {energy, !held_, forces_};
    }
    int evaluations = 0;

  private:
    std::vector<std::size_t> centres_;
    std::vector<std::int64_t> molecules_;
    std::vector<Vec3l> forces_;
    bool held_ = false;

    double hold(double value) {
        held_ = held_ || std::abs(value) >= 0x1p28;
        return std::clamp(value, -0x1p28, 0x1p28);
    }
    double add_pair(std::span<const Vec3d> x, std::size_t i, std::size_t j, std::vector<Vec3d>& f) {
        const Vec3d d = x[i] - x[j];
        const double r2 = std::max(norm2(d), 1e-6);
        const double s6 = std::pow(0.09 / r2, 3);
        const Vec3d full = (24.0 * (2.0 * s6 * s6 - s6) / r2) * d;
        const Vec3d pull{hold(full.x), hold(full.y), hold(full.z)};
        f[i] += pull;
        f[j] -= pull;
        return hold(4.0 * (s6 * s6 - s6));
    }
};

MinimiserReport run(Minimiser& minimiser, std::vector<Vec3d>& x, const Evaluate& evaluate) {
    MinimiserReport report;
    do report = minimiser.run_block(x, report.steps, evaluate);
    while (report.end == MinimiserEnd::running);
    return report;
}

// Rosenbrock's valley along x and y of one atom; minimum 0 at (1, 1).
Landscape rosenbrock(std::span<const Vec3d> x, std::vector<Vec3l>& forces) {
    const double a = 1.0 - x[0].x, b = x[0].y - x[0].x * x[0].x;
    forces = {fixed_force({2.0 * a + 400.0 * x[0].x * b, -200.0 * b, 0.0})};
    return {a * a + 100.0 * b * b, true, forces};
}

}  // namespace

TEST_CASE("dot products do not depend on order or threads and span all sizes") {
    auto a = noise(1000, 1.0, 51), b = noise(1000, 1e9, 52);
    a[17] = {1e-3, 0, 0};
    const double whole = wide_dot(a, b, alone());
    double plain = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) plain += dot(a[i], b[i]);
    CHECK(whole == Approx(plain).epsilon(1e-12));
    std::reverse(a.begin(), a.end());
    std::reverse(b.begin(), b.end());
    CHECK(wide_dot(a, b, alone()) == whole);
    const Threads with(3);
    CHECK(wide_dot(a, b, alone()) == whole);
    CHECK(wide_dot(std::vector<Vec3d>{{3e-200, 0, 0}}, std::vector<Vec3d>{{2e150, 0, 0}}, alone()) == Approx(6e-50));
    CHECK(std::isnan(wide_dot(std::vector<Vec3d>{{INFINITY, 0, 0}}, std::vector<Vec3d>{{1, 0, 0}}, alone())));
    std::vector<std::int64_t> ids(b.size());
    std::iota(ids.begin(), ids.end(), 7000);
    const Longest most = longest(b, ids, alone());
    CHECK(most.length == norm(b[static_cast<std::size_t>(most.atom - 7000)]));
    CHECK(longest({}, {}, alone()).atom == -1);
}

TEST_CASE("the minimiser finds its way along Rosenbrock's valley") {
    const Topology t = topology({single("X", 1.0)}, {1});
    const AtomParameters atoms = parameters(t);
    const Threads with(1);
    Minimiser minimiser(t, atoms, {1e-6, 2000}, alone());
    std::vector<Vec3d> x{{-1.2, 1.0, 0.0}};
    std::vector<Vec3l> forces;
    const MinimiserReport report = run(minimiser, x, [&](std::span<const Vec3d> r) { return rosenbrock(r, forces); });
    CHECK(report.end == MinimiserEnd::converged);
    CHECK(report.steps < 400);
    CHECK(norm(x[0] - Vec3d{1, 1, 0}) < 1e-5);
    CHECK(report.max_force < 1e-6);
}

TEST_CASE("overlapping atoms are pulled apart and minimised") {
    const Threads with(1);
    const Topology t = topology({single("AR", 39.95)}, {40});
    const AtomParameters atoms = parameters(t);
    auto start = noise(40, 0.3, 53);
    start[1] = start[0] + Vec3d{0.08, 0.01, 0};  // a force of some 1e9 kJ/mol/nm
    start[3] = start[2] + Vec3d{1e-5, 0, 0};     // as good as the same place
    start[5] = start[4] = start[6] + Vec3d{0, 0.02, 0};
    start[5].z += 1e-4;
    Liquid liquid(t, 1);
    REQUIRE(!liquid(start).usable);
    Minimiser minimiser(t, atoms, {1e-3, 5000}, alone());
    auto x = start;
    const MinimiserReport report = run(minimiser, x, std::ref(liquid));
    INFO("steps " << report.steps << " energy " << report.energy << " evaluations " << liquid.evaluations);
    CHECK(report.end == MinimiserEnd::converged);
    CHECK(report.usable);
    CHECK(report.energy < 0.0);
    CHECK(report.steps < 1500);
}

TEST_CASE("overlapping rigid waters and groups are minimised on their constraints") {
    const Threads with(1);
    MoleculeType group = ethyl();
    for (int h = 1; h <= 3; ++h) group.constraints.push_back({0, h, 0.109});
    const Topology t = topology({rigid_water(), group}, {30, 4});
    const AtomParameters atoms = parameters(t);
    std::mt19937 random(54);
    std::vector<Vec3d> start;
    for (int i = 0; i < 30; ++i) append_water(start, {0.1 * (i % 3), 0.1 * (i / 3 % 3), 0.1 * (i / 9)}, random);
    for (int i = 0; i < 4; ++i) append_ethyl(start, {0.2, 0.2 * i, 0.1});
    Liquid liquid(t, 1);
    REQUIRE(!liquid(start).usable);
    auto x = start;
    Minimiser minimiser(t, atoms, {1.0, 3000}, alone());
    const MinimiserReport report = run(minimiser, x, std::ref(liquid));
    INFO("steps " << report.steps << " energy " << report.energy << " force " << report.max_force << " on "
                  << report.max_force_atom << " evaluations " << liquid.evaluations);
    CHECK(report.end == MinimiserEnd::converged);
    CHECK(norm(x[0] - x[1]) == Approx(0.09572).epsilon(1e-9));
    CHECK(norm(x[1] - x[2]) == Approx(0.15139).epsilon(1e-9));
    CHECK(norm(x[90] - x[93]) == Approx(0.109).epsilon(1e-9));
}

TEST_CASE("molecules on top of each other are parted from any distance, with constraints and without") {
    const Threads with(1);
    for (const bool rigid : {true, false}) {
        MoleculeType group = ethyl();
        for (int h = 1; rigid && h <= 3; ++h) group.constraints.push_back({0, h, 0.109});
        const Topology t = topology({group, rigid ? rigid_water() : flexible_water()}, {2, 2});
        const AtomParameters atoms = parameters(t);
        for (const double shift : {0.02, 0.01, 0.004, 1e-5, 0.0}) {
            std::vector<Vec3d> x;
            append_ethyl(x, {0, 0, 0});
            append_ethyl(x, shift * Vec3d{0.8, 0.5, 0.3});
            for (int copy = 0; copy < 2; ++copy) {
                std::mt19937 random(57);
                append_water(x, {0.5, 0.2, 0.1}, random);
            }
            Liquid liquid(t, 1);
            REQUIRE(!liquid(x).usable);
            Minimiser minimiser(t, atoms, {1.0, 3000}, alone());
            CHECK(minimiser.separate(Box(), x).atoms == (shift == 0.0 ? 16 : 6));
            const MinimiserReport report = run(minimiser, x, std::ref(liquid));
            INFO("rigid " << rigid << " shift " << shift << " steps " << report.steps << " force " << report.max_force);
            CHECK(report.end == MinimiserEnd::converged);
            CHECK(report.usable);
            if (rigid) CHECK(norm(x[5] - x[6]) == Approx(0.109).epsilon(1e-9));
        }
    }
}

TEST_CASE("atoms at one place are moved as rigid units, the same with any number of threads") {
    const Topology t = topology({rigid_water(), single("AR", 39.95)}, {2, 4});
    AtomParameters atoms = parameters(t);
    atoms.inverse_mass[9] = 0.0;
    auto start = water_positions(1, 58);
    for (int i = 0; i < 3; ++i)
        start.push_back(start[static_cast<std::size_t>(i)] + Vec3d{-2.0, 4.0, 0.0});  // an image
    for (const Vec3d& r : {Vec3d{1, 1, 1}, Vec3d{1.5, 1, 1}, Vec3d{0.5, 1, 1}, Vec3d{1.5, 1, 1}}) start.push_back(r);
    std::vector<Vec3d> first;
    for (int threads = 1; threads <= 4; ++threads) {
        const Threads with(threads);
        const Minimiser minimiser(t, atoms, {1.0, 10}, alone());
        auto x = start;
        const SharedPlaces shared = minimiser.separate(Box::rectangular(2, 2, 2), x);
        CHECK(shared.atoms == 8);
        CHECK(shared.first == 0);
        if (first.empty()) first = x;
        CHECK(x == first);
        const SharedPlaces none = minimiser.separate(Box::rectangular(2, 2, 2), x);
        CHECK(none.atoms == 0);
        CHECK(none.first == -1);
        CHECK(x == first);
    }
    for (const std::size_t i : {0, 1, 2, 3, 4, 5, 7}) CHECK(norm(first[i] - start[i]) == Approx(1e-4).epsilon(1e-6));
    CHECK(norm(first[4] - first[5]) == Approx(0.15139).epsilon(1e-12));
    CHECK(first[6] == start[6]);
    CHECK(first[9] == start[9]);
}

TEST_CASE("forces that vanish because they are out of range are not taken for a minimum") {
    const Topology t = topology({single("X", 1.0)}, {1});
    const AtomParameters atoms = parameters(t);
    const Threads with(1);
    Minimiser minimiser(t, atoms, {1.0, 20}, alone());
    std::vector<Vec3d> x{{0, 0, 0}};
    const std::vector<Vec3l> forces{Vec3l{}};
    const Evaluate held = [&](std::span<const Vec3d>) { return Landscape{0.0, false, forces}; };
    CHECK(run(minimiser, x, held).end == MinimiserEnd::max_steps);
}

TEST_CASE("a minimisation continued between blocks has the same bits, with any number of threads") {
    const Topology t = topology({rigid_water(), single("AR", 39.95)}, {20, 20});
    AtomParameters atoms = parameters(t);
    atoms.inverse_mass[70] = 0.0;
    auto start = water_positions(20, 55);
    for (const Vec3d& r : noise(20, 0.4, 56)) start.push_back(r);
    Liquid liquid(t, 3);  // oxygens and argon
    auto whole = start;
    Minimiser one(t, atoms, {1e-9, 170}, alone());
    const MinimiserReport report = run(one, whole, std::ref(liquid));
    CHECK(report.steps == 170);
    CHECK(report.end == MinimiserEnd::max_steps);
    CHECK(whole[70] == start[70]);
    for (int threads = 1; threads <= 4; ++threads) {
        const Threads with(threads);
        auto x = start;
        MinimiserReport last;
        for (std::int64_t steps = 0; steps < 170; steps = last.steps) {
            Minimiser again(t, atoms, {1e-9, 170}, alone());
            last = again.run_block(x, steps, std::ref(liquid));
        }
        CHECK(x == whole);
        CHECK(last.energy == report.energy);
    }
}

TEST_CASE("positions that are not numbers end the minimisation with the atom's name") {
    const Topology t = topology({ethyl()}, {1});
    const AtomParameters atoms = parameters(t);
    Minimiser minimiser(t, atoms, {1.0, 100}, alone());
    std::vector<Vec3d> x;
    append_ethyl(x, {0, 0, 0});
    const std::vector<Vec3l> forces(x.size());
    const Evaluate flat = [&](std::span<const Vec3d>) { return Landscape{0.0, true, forces}; };
    CHECK(minimiser.run_block(x, 0, flat).end == MinimiserEnd::converged);
    x[3].y = std::nan("");
    try {
        minimiser.run_block(x, 0, flat);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::unstable);
        CHECK(std::string(error.what()).find("atom H13") != std::string::npos);
    }
}

TEST_CASE("a minimisation that cannot go lower says so") {
    const Topology t = topology({single("X", 1.0)}, {1});
    const AtomParameters atoms = parameters(t);
    const Threads with(1);
    Minimiser minimiser(t, atoms, {1e-3, 1000}, alone());
    std::vector<Vec3d> x{{0, 0, 0}};
    // A force that leads nowhere: the energy is flat.
    const std::vector<Vec3l> forces{fixed_force({1, 0, 0})};
    const MinimiserReport report = run(minimiser, x, [&](std::span<const Vec3d>) {
        return Landscape{0.0, true, forces};
    });
    CHECK(report.end == MinimiserEnd::precision);
    CHECK(describe(report.end).find("precision") != std::string_view::npos);
    CHECK(x[0] == Vec3d{});
}
