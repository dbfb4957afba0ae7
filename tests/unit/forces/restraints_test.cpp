// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numbers>
#include <numeric>

#include "forces/restraints/group_restraints.h"
#include "forces/restraints/position_restraints.h"
#include "forces/restraints/walls.h"
#include "forces/term_checks.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

const Comm alone;
const Box triclinic = Box::from_rows({Vec3d{3.0, 0, 0}, Vec3d{0.5, 2.8, 0}, Vec3d{-0.4, 0.6, 3.2}});
const Box rectangular = Box::rectangular(3.0, 2.8, 3.2);
constexpr double degree = std::numbers::pi / 180.0;

void assign_all(HostTerm& term, std::size_t atoms) {
    LocalAtoms local;
    local.ids.resize(atoms);
    std::iota(local.ids.begin(), local.ids.end(), 0);
    local.home = atoms;
    term.assign({local, LocalTerms{}, LocalParameters{}});
}

const std::vector<Vec3d> places{{0.3, 0.2, 0.1}, {0.5, 0.6, 0.3}, {1.0, 1.1, 0.7}, {1.2, 0.4, 1.1},
                                {0.9, 1.9, 1.4}, {2.0, 1.2, 0.2}, {1.6, 0.9, 2.0}, {0.1, 1.5, 0.8}};

/// Groups of 1, 2, 3 and 2 atoms, one of them in another image.
std::vector<AtomGroup> groups() {
    const Vec3d here{}, above{0, 0, 1};
    return {{{0}, {1.0}, {here}},
            {{1, 2}, {0.25, 0.75}, {here, here}},
            {{3, 4, 6}, {0.5, 0.3, 0.2}, {here, here, here}},
            {{5, 7}, {0.4, 0.6}, {above, here}}};
}

Vec3d centre(const AtomGroup& group, const Box& box, const std::vector<Vec3d>& x) {
    Vec3d sum{};
    for (std::size_t n = 0; n < group.ids.size(); ++n)
        sum += group.weight[n] * (x[static_cast<std::size_t>(group.ids[n])] + box.to_cartesian(group.images[n]));
    return sum;
}

/// The measure by other formulas than the term's.
double measure(GroupMeasure what, const Box& box, const std::vector<Vec3d>& x) {
    std::vector<Vec3d> c;
    for (const AtomGroup& group : groups()) c.push_back(centre(group, box, x));
    const auto from = [&](std::size_t a, std::size_t b) { return box.minimum_image(c[b] - c[a]); };
    if (what == GroupMeasure::distance) return norm(from(0, 1));
    const Vec3d p = from(1, 0), q = from(1, 2);
    if (what == GroupMeasure::angle) return std::acos(dot(p, q) / (norm(p) * norm(q)));
    const Vec3d b1 = from(0, 1), b2 = from(1, 2), b3 = from(2, 3);
    return std::atan2(dot(cross(cross(b1, b2), cross(b2, b3)), (1.0 / norm(b2)) * b2),
                      dot(cross(b1, b2), cross(b2, b3)));
}

GroupRestraint restraint(GroupMeasure what, double lower, double upper) {
    return {"one", what, {0, 1, 2, 3}, lower, upper, 150.0};
}

void check_one(const GroupRestraint& r, const Box& box, double nearest) {
    GroupRestraints term(groups(), {r}, alone);
    assign_all(term, places.size());
    const double value = measure(r.measure, box, places);
    double off = value - nearest;
    if (r.measure == GroupMeasure::dihedral) off = std::remainder(off, 2.0 * std::numbers::pi);
    INFO("value " << value << " nearest " << nearest);
    CHECK(energy(term, box, places) == Approx(75.0 * off * off).epsilon(1e-9).margin(1e-9));
    check_slope(term, box, places);
    check_virial(term, box, places);
    check_threads(term, box, places);
    std::vector<RestraintSums> sums;
    evaluate(term, box, places);
    term.report(sums);
    const RestraintValue reported = sum_over(alone, sums).at(0);
    CHECK(reported.value == Approx(r.measure == GroupMeasure::distance ? value : value / degree).epsilon(1e-9));
    CHECK(reported.energy == Approx(75.0 * off * off).epsilon(1e-9).margin(1e-9));
    CHECK(reported.unit == (r.measure == GroupMeasure::distance ? "nm" : "deg"));
}

}  // namespace

TEST_CASE("restraints of centres of mass: harmonic, below and above a range, within it") {
    for (const Box& box : {triclinic, rectangular, Box{}}) {
        for (const GroupMeasure what : {GroupMeasure::distance, GroupMeasure::angle, GroupMeasure::dihedral}) {
            const double at = measure(what, box, places), low = 0.6 * std::abs(at), high = 1.3 * std::abs(at);
            if (what == GroupMeasure::dihedral) {
                check_one(restraint(what, at + 0.4, at + 0.4), box, at + 0.4);
                check_one(restraint(what, at + 0.2, at + 2.0), box, at + 0.2);
                check_one(restraint(what, at - 2.0, at - 0.3), box, at - 0.3);
                check_one(restraint(what, at - 0.2, at + 0.1), box, at);
                continue;
            }
            check_one(restraint(what, low, low), box, low);
            check_one(restraint(what, high, 1.1 * high), box, high);
            check_one(restraint(what, 0.0, low), box, low);
            check_one(restraint(what, low, high), box, at);
        }
    }
}

TEST_CASE("a dihedral restraint does not jump where the angle does") {
    // 175 degrees, held to -170: 15 degrees away.
    const std::vector<Vec3d> x{{1, 0, 0}, {0, 0, 0}, {0, 0, 1}, {std::cos(175 * degree), std::sin(175 * degree), 1}};
    const std::vector<AtomGroup> atoms{{{0}, {1}, {{}}}, {{1}, {1}, {{}}}, {{2}, {1}, {{}}}, {{3}, {1}, {{}}}};
    GroupRestraints term(atoms, {{"d", GroupMeasure::dihedral, {0, 1, 2, 3}, -170 * degree, -170 * degree, 2.0}},
                         alone);
    assign_all(term, 4);
    CHECK(energy(term, Box{}, x) == Approx(std::pow(15 * degree, 2)).margin(3e-10));  // the unit of energies
    check_slope(term, Box{}, x);
}

TEST_CASE("several restraints may share groups, and atoms wherever they have moved") {
    GroupRestraints one(groups(), {restraint(GroupMeasure::distance, 0.1, 0.2)}, alone);
    GroupRestraints two(groups(), {restraint(GroupMeasure::angle, 0.1, 0.2)}, alone);
    GroupRestraints both(
        groups(), {restraint(GroupMeasure::distance, 0.1, 0.2), restraint(GroupMeasure::angle, 0.1, 0.2)}, alone);
    for (HostTerm* term : {static_cast<HostTerm*>(&one), static_cast<HostTerm*>(&two), static_cast<HostTerm*>(&both)})
        assign_all(*term, places.size());
    CHECK(energy(both, triclinic, places) ==
          Approx(energy(one, triclinic, places) + energy(two, triclinic, places)).epsilon(1e-12));
    check_slope(both, triclinic, places);
    // A group as a whole a few boxes further is at the same distance.
    auto shifted = places;
    shifted[0] += triclinic.to_cartesian({2, -1, 3});
    CHECK(energy(both, triclinic, shifted) == Approx(energy(both, triclinic, places)).epsilon(1e-9));
}

TEST_CASE("walls: planes, sphere and cylinder, inside and outside, in the nearest image") {
    for (const WallShape shape : {WallShape::plane, WallShape::sphere, WallShape::cylinder}) {
        for (const WallSide keep : {WallSide::inside, WallSide::outside}) {
            for (const int axis : {0, 1, 2}) {
                const Vec3d middle{1.1, 0.9, 1.0};
                const double width = 0.57;  // no atom at the border, where the slope has a kink
                Wall wall({"w", shape, axis, middle, width, keep, 80.0, {0, 2, 3, 4, 6, 7}});
                assign_all(wall, places.size());
                double expected = 0.0;
                for (const std::size_t n : {0U, 2U, 3U, 4U, 6U, 7U}) {
                    Vec3d d = places[n] - middle;
                    const Vec3d edge{3.0, 2.8, 3.2};
                    double r2 = 0.0;
                    for (int a = 0; a < 3; ++a) {
                        const bool counts = shape == WallShape::sphere || (a == axis) == (shape == WallShape::plane);
                        if (counts) r2 += std::pow(std::remainder(d[a], edge[a]), 2);
                    }
                    const double out = keep == WallSide::inside ? std::sqrt(r2) - width : width - std::sqrt(r2);
                    if (out > 0.0) expected += 40.0 * out * out;
                }
                INFO("shape " << static_cast<int>(shape) << " axis " << axis);
                CHECK(expected > 0.0);
                CHECK(energy(wall, rectangular, places) == Approx(expected).epsilon(1e-9));
                check_slope(wall, rectangular, places);
                check_virial(wall, rectangular, places, false);
                check_threads(wall, rectangular, places);
            }
        }
    }
    CHECK(Wall::fits(WallShape::sphere, 0, triclinic));
    CHECK_FALSE(Wall::fits(WallShape::plane, 2, triclinic));
    CHECK(Wall::fits(WallShape::cylinder, 2, Box::from_rows({Vec3d{3, 0, 0}, Vec3d{1, 2.8, 0}, Vec3d{0, 0, 3.2}})));
    CHECK_FALSE(Wall::fits(WallShape::plane, 0, Box::from_rows({Vec3d{3, 0, 0}, Vec3d{1, 2.8, 0}, Vec3d{0, 0, 3.2}})));
}

TEST_CASE("a flat-bottomed position restraint leaves atoms free within its radius") {
    const std::vector<Vec3d> x{{0.3, 0.2, 0.1}, {1.0, 1.1, 0.7}, {0.5, 0.5, 0.5}};
    const std::vector<std::vector<Vec3d>> references{{{0.3, 0.2, 0.15}, {1.0, 1.1, 1.2}, {0.2, 0.4, 0.4}}};
    for (const ReferenceScaling scaling : {ReferenceScaling::fixed, ReferenceScaling::with_box}) {
        PositionRestraints term(0, 200.0, scaling, rectangular, {"held", 0.1});
        assign(term, LocalTerms{}, {}, references);
        const double third = std::sqrt(0.11) - 0.1;
        CHECK(energy(term, rectangular, x) == Approx(100.0 * (0.16 + third * third)).epsilon(1e-9));
        CHECK(evaluate(term, rectangular, x).units[0] == Vec3l{});
        check_slope(term, rectangular, x);
        check_virial(term, rectangular, x, false);
        check_threads(term, rectangular, x);
        std::vector<RestraintSums> sums;
        evaluate(term, rectangular, x);
        term.report(sums);
        const RestraintValue reported = sum_over(alone, sums).at(0);
        CHECK(reported.name == "held");
        CHECK(reported.value == Approx(std::sqrt((0.0025 + 0.25 + 0.11) / 3.0)).epsilon(1e-8));
        CHECK(reported.energy == Approx(100.0 * (0.16 + third * third)).epsilon(1e-9));
    }
}
