// SPDX-License-Identifier: Apache-2.0
#include "system/box.h"

#include <random>

#include <catch2/catch.hpp>

#include "system/lattice.h"

using namespace mdsim;

namespace {
Box truncated_octahedron(double edge) {
    return Box::from_lengths_angles({edge, edge, edge}, {109.4712190, 109.4712190, 109.4712190});
}
}  // namespace

TEST_CASE("a truncated octahedron has its volume and heights") {
    const Box box = truncated_octahedron(5.0);
    CHECK(box.volume() == Approx(125.0 * 4.0 / (3.0 * std::sqrt(3.0))).epsilon(1e-7));
    CHECK(box.smallest_height() == Approx(5.0 * std::sqrt(2.0 / 3.0)).epsilon(1e-7));
}

TEST_CASE("right angles give a rectangular box exactly") {
    CHECK(Box::from_lengths_angles({2, 3, 4}, {90, 90, 90}) == Box::rectangular(2, 3, 4));
}

TEST_CASE("the lattice difference is the minimum image in a triclinic box") {
    const Box box = truncated_octahedron(3.0);
    const Lattice lattice(box, {});
    std::mt19937 random(1);
    std::uniform_real_distribution<double> far(-20, 20), near(-0.7, 0.7);
    for (int n = 0; n < 1000; ++n) {
        const Vec3d a{far(random), far(random), far(random)};
        const Vec3d d{near(random), near(random), near(random)};  // shorter than half the smallest height
        const Vec3d image =
            box.to_cartesian({std::round(far(random)), std::round(far(random)), std::round(far(random))});
        const LatticePoint p = lattice.point(a), q = lattice.point(a + d + image);
        const Vec3d s{static_cast<std::int32_t>(q.x - p.x) * 0x1p-32, static_cast<std::int32_t>(q.y - p.y) * 0x1p-32,
                      static_cast<std::int32_t>(q.z - p.z) * 0x1p-32};
        CHECK(norm(box.to_cartesian(s) - d) < 1e-8);
        CHECK(norm(box.minimum_image(d + image) - d) < 1e-12);
    }
}
