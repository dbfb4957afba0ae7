// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "analyse/density_profile.h"
#include "analyse/hydrogen_bonds.h"
#include "analyse/msd.h"
#include "analyse/rdf.h"
#include "analyse/series/block_average.h"
#include "analyse/shape.h"
#include "analyse/superpose.h"
#include "core/units.h"

using namespace mdsim;
using namespace mdsim::analyse;

namespace {

Atom atom(const char* name, int element, double mass, double charge = 0.0) {
    Atom a;
    a.name = name;
    a.element = element;
    a.mass = mass;
    a.charge = charge;
    return a;
}

Topology atoms_alone(std::int64_t count) {
    MoleculeType type;
    type.name = "AR";
    type.residues = {{"AR", 1, ""}};
    type.atoms = {atom("AR", 18, 40.0, 0.5)};
    Topology topology;
    topology.types = {type};
    topology.blocks = {{0, count}};
    return topology;
}

Topology waters(std::int64_t count) {
    MoleculeType type;
    type.name = "SOL";
    type.residues = {{"SOL", 1, ""}};
    type.atoms = {atom("OW", 8, 16.0), atom("HW1", 1, 1.0), atom("HW2", 1, 1.0)};
    type.connections = {{0, 1}, {0, 2}};
    Topology topology;
    topology.types = {type};
    topology.blocks = {{0, count}};
    return topology;
}

std::vector<Vec3d> random_points(std::size_t count, double edge, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.0, edge);
    std::vector<Vec3d> x(count);
    for (Vec3d& r : x) r = {uniform(random), uniform(random), uniform(random)};
    return x;
}

double number(const Row& row, std::size_t column) {
    if (const auto* whole = std::get_if<std::int64_t>(&row.at(column))) return static_cast<double>(*whole);
    return std::get<double>(row.at(column));
}

std::vector<Row> finish(Measure& measure) {
    std::vector<Row> rows;
    measure.finish(rows);
    return rows;
}

}  // namespace

TEST_CASE("superposition undoes a rotation and a shift, and does not mirror", "[analyse]") {
    const auto x = random_points(20, 2.0, 3);
    const std::vector<double> weights(x.size(), 1.0);
    const double angle = 2.1;
    std::vector<Vec3d> turned, mirrored;
    for (const Vec3d& r : x) {
        turned.push_back(
            Vec3d{std::cos(angle) * r.x - std::sin(angle) * r.y, std::sin(angle) * r.x + std::cos(angle) * r.y, r.z} +
            Vec3d{3.0, -1.0, 2.0});
        mirrored.push_back({r.x, r.y, -r.z});
    }
    const RigidMotion back = superpose(turned, x, weights);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(norm(back(turned[i]) - x[i]) < 1e-12);
    const RigidMotion other = superpose(mirrored, x, weights);
    const Mat3d& m = other.rotation;
    CHECK(dot(m[0], cross(m[1], m[2])) == Approx(1.0));
}

TEST_CASE("fluctuations and distances of two frames by hand", "[analyse]") {
    // A square that stays, and a fifth atom in its middle that goes up by 0.2 nm in the second frame.
    const Topology topology = atoms_alone(5);
    const std::vector<Vec3d> first{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 0}};
    std::vector<Vec3d> second = first;
    second[4].z = 0.2;
    const Box box;
    const Fitting fitting{.select = "index 1-4", .weights = Weights::equal, .reference = {}};
    Rmsd rmsd(topology, "index 5", fitting);
    Rmsf rmsf(topology, "index 4 5", fitting);
    RadiusOfGyration rgyr(topology, "index 1 2");
    std::vector<Row> rows, none;
    for (const auto& x : {first, second}) {
        rmsd.add({0.0, box, x}, rows);
        rmsf.add({0.0, box, x}, none);
    }
    CHECK(number(rows.at(0), 1) == Approx(0.0).margin(1e-12));
    CHECK(number(rows.at(1), 1) == Approx(0.2));
    CHECK(none.empty());
    rmsf.finish(none);
    CHECK(number(none.at(0), 4) == Approx(0.0).margin(1e-12));
    CHECK(number(none.at(1), 0) == 5.0);
    CHECK(number(none.at(1), 4) == Approx(0.1));
    rows.clear();
    rgyr.add({2.0, box, first}, rows);
    CHECK(number(rows.at(0), 1) == Approx(1.0));
}

TEST_CASE("g of an ideal gas is one, at all distances and in a skewed box", "[analyse]") {
    const Topology topology = atoms_alone(2000);
    const Box box = Box::from_rows({Vec3d{3, 0, 0}, Vec3d{1, 3, 0}, Vec3d{-1, 1, 2.5}});
    Rdf rdf(topology, {.select = "all", .other = "all", .range = 2.0, .bins = 10});
    std::vector<Row> rows;
    for (unsigned frame = 0; frame < 4; ++frame) {
        std::vector<Vec3d> x = random_points(2000, 1.0, frame);
        for (Vec3d& r : x) r = box.to_cartesian(r);
        rdf.add({0.0, box, x}, rows);
    }
    rows = finish(rdf);
    REQUIRE(rows.size() == 10);
    const double density = 2000.0 / box.volume();
    for (std::size_t n = 0; n < rows.size(); ++n) {
        CHECK(number(rows[n], 1) == Approx(1.0).margin(n == 0 ? 0.1 : 0.02));
        const double r = 0.2 * static_cast<double>(n + 1);
        CHECK(number(rows[n], 2) == Approx(4.0 / 3.0 * units::pi * r * r * r * density).epsilon(n == 0 ? 0.1 : 0.02));
    }
}

TEST_CASE("pairs of one molecule can be left out of g", "[analyse]") {
    const Topology topology = waters(2);
    const std::vector<Vec3d> x{{0, 0, 0}, {0.1, 0, 0}, {0, 0.1, 0}, {1, 0, 0}, {1.1, 0, 0}, {1, 0.1, 0}};
    const Box box = Box::rectangular(5, 5, 5);
    const auto neighbours = [&](SameMolecule same) {
        Rdf rdf(topology,
                {.select = "name OW", .other = "name HW1 HW2", .range = 0.5, .bins = 5, .same_molecule = same});
        std::vector<Row> rows;
        rdf.add({0.0, box, x}, rows);
        return number(finish(rdf).back(), 2);
    };
    CHECK(neighbours(SameMolecule::counts) == Approx(2.0));
    CHECK(neighbours(SameMolecule::is_left_out) == Approx(0.0));
}

TEST_CASE("a particle of constant velocity is followed across the faces of a box that changes", "[analyse]") {
    const Topology topology = atoms_alone(30);
    const auto start = random_points(30, 2.0, 8);
    const Vec3d v{0.3, -0.2, 0.1};  // [nm/ps]
    Msd msd(topology, {.select = "all", .lags = 10});
    std::vector<Row> rows;
    for (int frame = 0; frame <= 25; ++frame) {
        const Box box = Box::rectangular(2.0 + 0.001 * frame, 2.0, 2.0);
        std::vector<Vec3d> x = start;
        for (Vec3d& r : x) {
            const Vec3d s = box.to_fractional(r + v * (0.5 * frame));
            r = box.to_cartesian({s.x - std::floor(s.x), s.y - std::floor(s.y), s.z - std::floor(s.z)});
        }
        msd.add({0.5 * frame, box, x}, rows);
    }
    rows = finish(msd);
    REQUIRE(rows.size() == 11);
    for (std::size_t lag = 0; lag <= 10; ++lag) {
        const double time = 0.5 * static_cast<double>(lag);
        CHECK(number(rows[lag], 0) == Approx(time));
        CHECK(number(rows[lag], 1) == Approx(norm2(v) * time * time).epsilon(0.02).margin(1e-12));
        CHECK(number(rows[lag], 2) == 26.0 - static_cast<double>(lag));
    }
    CHECK(msd.unevenness() < 1e-9);
}

TEST_CASE("the diffusion coefficient of a random walk", "[analyse]") {
    constexpr std::int64_t count = 400;
    constexpr double d = 2.3e-3, interval = 2.0;  // [nm^2/ps], [ps]
    const Topology topology = atoms_alone(count);
    std::vector<Vec3d> x = random_points(count, 3.0, 9);
    std::mt19937 random(10);
    std::normal_distribution<double> step(0.0, std::sqrt(2.0 * d * interval));
    Msd msd(topology, {.select = "all", .lags = 40, .result = Msd::Result::diffusion});
    std::vector<Row> rows;
    const Box box = Box::rectangular(3, 3, 3);
    for (int frame = 0; frame < 400; ++frame) {
        msd.add({interval * frame, box, x}, rows);
        for (Vec3d& r : x) r += Vec3d{step(random), step(random), step(random)};
    }
    rows = finish(msd);
    REQUIRE(rows.size() == 1);
    CHECK(number(rows[0], 2) == Approx(d).epsilon(0.03));
    CHECK(number(rows[0], 3) > 0.0);
    CHECK(std::abs(number(rows[0], 2) - d) < 4.0 * number(rows[0], 3));
    CHECK(number(rows[0], 4) == Approx(1e3 * number(rows[0], 2)));  // 1 nm^2/ps = 1e-2 cm^2/s
}

TEST_CASE("a density profile follows the box", "[analyse]") {
    const Topology topology = atoms_alone(4);
    DensityProfile profile(topology, {.select = "all", .axis = 2, .bins = 2});
    std::vector<Row> rows;
    // Three atoms in the lower half, one in the upper half, also when the box is twice as high.
    const std::vector<Vec3d> x{{0, 0, 0.2}, {0, 0, 0.4}, {0, 0, 2.9}, {0, 0, 1.5}};
    std::vector<Vec3d> y = x;
    for (Vec3d& r : y) r.z *= 2.0;
    profile.add({0.0, Box::rectangular(1, 1, 2), x}, rows);
    profile.add({1.0, Box::rectangular(1, 1, 4), y}, rows);
    rows = finish(profile);
    REQUIRE(rows.size() == 2);
    CHECK(number(rows[0], 0) == Approx(0.75));
    CHECK(number(rows[1], 0) == Approx(2.25));
    CHECK(number(rows[0], 3) == Approx(0.5 * (3.0 / 1.0 + 3.0 / 2.0)));
    CHECK(number(rows[0], 1) == Approx(40.0 * units::density_unit * number(rows[0], 3)));
    CHECK(number(rows[1], 2) == Approx(0.5 * number(rows[1], 3)));
}

TEST_CASE("hydrogen bonds by hand", "[analyse]") {
    const Topology topology = waters(2);
    const Box box = Box::rectangular(3, 3, 3);
    // The first water points at the oxygen of the second, which lies `far` away, `off` the straight line, maybe in the
    // next box.
    const auto bonds = [&](double far, double off, const char* select = "all", const char* other = "all") {
        const Vec3d o{far, off, 0.0}, shift{3.0, 0.0, -3.0};
        const std::vector<Vec3d> x{{0, 0, 0},
                                   {0.1, 0, 0},
                                   {0, -0.1, 0},
                                   o + shift,
                                   o + Vec3d{0.1, 0.0, 0.0} + shift,
                                   o + Vec3d{0.0, 0.1, 0.0} + shift};
        HydrogenBonds count(topology, {.select = select, .other = other});
        std::vector<Row> rows;
        count.add({0.0, box, x}, rows);
        return number(rows.at(0), 1);
    };
    CHECK(bonds(0.28, 0.0) == 1.0);
    CHECK(bonds(0.31, 0.0) == 0.0);
    CHECK(bonds(0.28, 0.08) == 1.0);  // 0.18 along, 0.08 off: 156 degrees
    CHECK(bonds(0.26, 0.12) == 0.0);  // 143 degrees
    CHECK(bonds(0.28, 0.0, "index 1-3", "index 4-6") == 1.0);
    CHECK(bonds(0.28, 0.0, "index 4-6", "index 1-3") == 1.0);
    CHECK(bonds(0.28, 0.0, "index 1-3", "index 1-3") == 0.0);
}

TEST_CASE("block averages know correlated series from independent ones", "[analyse]") {
    std::mt19937 random(12);
    std::normal_distribution<double> noise;
    // x' = a x + noise: variance 1 / (1 - a^2), correlation time (1 + a) / (1 - a).
    const auto error = [&](double a, std::size_t count) {
        std::vector<double> values;
        double x = 0.0;
        for (std::size_t n = 0; n < count; ++n) values.push_back(x = a * x + noise(random));
        return block_average(values).value();
    };
    const auto expected = [](double a, double count) {
        return std::sqrt((1.0 + a) / (1.0 - a) / (1.0 - a * a) / count);
    };
    for (const double a : {0.0, 0.8, 0.95}) {
        const BlockAverage average = error(a, 100000);
        CHECK(average.converged);
        CHECK(average.error == Approx(expected(a, 1e5)).epsilon(0.25));
        CHECK(std::abs(average.mean) < 5.0 * average.error);
    }
    CHECK_FALSE(error(0.999, 200).converged);
    CHECK_FALSE(block_average({}).has_value());
    const std::vector<double> same(64, 2.5);
    CHECK(block_average(same)->error == 0.0);
    CHECK(block_average(same)->converged);
    CHECK(slope(std::vector<double>{0, 1, 2, 3}, std::vector<double>{1, 3, 5, 7}) == Approx(2.0));
}
