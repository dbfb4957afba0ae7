// SPDX-License-Identifier: Apache-2.0
#include "system/geometry/neighbour_grid.h"

#include <limits>
#include <map>
#include <random>

#include <catch2/catch.hpp>

using namespace mdsim;

namespace {

std::vector<Vec3d> random_points(std::size_t count, double spread, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-spread, spread);
    std::vector<Vec3d> x(count);
    for (Vec3d& r : x) r = {uniform(random), uniform(random), uniform(random)};
    return x;
}

/// How many images of each point lie within the reach, found by trying them all.
std::map<std::int64_t, int> images_by_hand(const Box& box, const std::vector<Vec3d>& x, const Vec3d& at, double reach,
                                           int images) {
    std::map<std::int64_t, int> found;
    const int n = box.periodic() ? images : 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const Vec3d d = box.minimum_image(x[i] - at);
        for (int a = -n; a <= n; ++a) {
            for (int b = -n; b <= n; ++b) {
                for (int c = -n; c <= n; ++c) {
                    const Vec3d image = d + box.to_cartesian({1.0 * a, 1.0 * b, 1.0 * c});
                    if (norm2(image) <= reach * reach) ++found[static_cast<std::int64_t>(i)];
                }
            }
        }
    }
    return found;
}

std::size_t compare(const Box& box, double reach, double spread, std::size_t points) {
    const auto x = random_points(points, spread, 5), places = random_points(40, 1.5 * spread, 6);
    const NeighbourGrid grid(box, x, reach);
    std::size_t pairs = 0;
    for (const Vec3d& at : places) {
        std::map<std::int64_t, int> found;
        grid.for_each(at, [&](std::int64_t point, const Vec3d& d, double d2) {
            ++found[point];
            ++pairs;
            // The vector leads to an image of the point.
            const Vec3d from_image = box.minimum_image(at + d - x[static_cast<std::size_t>(point)]);
            if (norm(from_image) > 1e-9 || std::abs(norm2(d) - d2) > 1e-12) FAIL("not an image of the point");
        });
        REQUIRE(found == images_by_hand(box, x, at, reach, 4));
        REQUIRE(grid.any(at) == !found.empty());
    }
    return pairs;
}

}  // namespace

TEST_CASE("all images within the reach are found", "[neighbour_grid]") {
    const Box rectangular = Box::rectangular(3.0, 4.0, 5.0);
    const Box dodecahedron = Box::from_rows({Vec3d{4, 0, 0}, Vec3d{0, 4, 0}, Vec3d{2, 2, 2.83}});
    const Box skewed = Box::from_lengths_angles({3.0, 3.5, 4.0}, {65.0, 70.0, 110.0});
    for (const Box& box : {rectangular, dodecahedron, skewed, Box()}) {
        std::size_t pairs = 0;
        for (const double reach : {0.4, 1.1, 2.6, 4.5}) pairs += compare(box, reach, 9.0, 300);
        pairs += compare(box, 0.9, 9.0, 3);
        pairs += compare(box, 0.6, 2.0, 3000);
        CHECK(pairs > 1000);
    }
}

TEST_CASE("points that are no numbers, and no points, are near to nothing", "[neighbour_grid]") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const std::vector<Vec3d> x{{nan, 0, 0}, {0.1, 0.1, 0.1}, {0, inf, 0}};
    for (const Box& box : {Box(), Box::rectangular(2, 2, 2)}) {
        const NeighbourGrid grid(box, x, 0.5), empty(box, {}, 0.5);
        CHECK(grid.any({0, 0, 0}));
        CHECK_FALSE(grid.any({nan, 0, 0}));
        CHECK_FALSE(grid.any({0, 0, -inf}));
        CHECK_FALSE(empty.any({0, 0, 0}));
        CHECK(grid.any({1e8, 0, 0}) == box.periodic());
    }
}
