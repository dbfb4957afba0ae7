// SPDX-License-Identifier: Apache-2.0
#include "run/maps/field_map.h"

#include <cmath>
#include <complex>
#include <numeric>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/units.h"
#include "run/maps/map_file.h"

using namespace mdsim;

namespace {

const Box slanted = Box::from_rows({Vec3d{3.0, 0, 0}, Vec3d{0.9, 2.8, 0}, Vec3d{-0.7, 1.1, 2.6}});

double total(const FieldImage& image) {
    return std::accumulate(image.values.begin(), image.values.end(), 0.0) * image.cell.x * image.cell.y * image.cell.z;
}

std::size_t place(const FieldImage& image, int i, int j, int k) {
    return static_cast<std::size_t>((k * image.cells[1] + j) * image.cells[0] + i);
}

// The sum over wave vectors itself: 4 pi ke / V sum_k exp(-k^2 / 4 beta^2) / k^2 sum_j q_j exp(i k (r - r_j)).
double wave_sum(const Box& box, const std::vector<Vec3d>& x, const std::vector<double>& q, double beta,
                const Vec3d& r) {
    const Mat3d& h = box.rows();
    const double volume = box.volume();
    const Vec3d b[3] = {cross(h[1], h[2]) * (2 * units::pi / volume), cross(h[2], h[0]) * (2 * units::pi / volume),
                        cross(h[0], h[1]) * (2 * units::pi / volume)};
    constexpr int most = 14;
    double sum = 0.0;
    for (int m = -most; m <= most; ++m) {
        for (int n = -most; n <= most; ++n) {
            for (int o = -most; o <= most; ++o) {
                const Vec3d k = b[0] * double(m) + b[1] * double(n) + b[2] * double(o);
                const double k2 = norm2(k);
                if (k2 == 0.0 || k2 > 60.0 * beta * beta) continue;
                for (std::size_t j = 0; j < x.size(); ++j)
                    sum += q[j] * std::cos(dot(k, r - x[j])) * std::exp(-k2 / (4 * beta * beta)) / k2;
            }
        }
    }
    return 4 * units::pi * units::coulomb_codata2018 / volume * sum;
}

}  // namespace

TEST_CASE("a map of numbers counts every atom once, in the cell where it or an image of it is") {
    FieldMap map({MapQuantity::number, 0.5}, slanted, {1.0, -1.0, 0.5});
    const std::vector<Vec3d> x{{0.1, 0.1, 0.1}, {0.1 + 3.0 * 3 - 0.7, 0.1 + 1.1, 0.1 + 2.6}, {-0.1, -0.1, -0.1}};
    map.add(slanted, x, 2.0);
    const FieldImage image = map.image();
    CHECK(image.cells == std::array{6, 6, 6});
    CHECK(total(image) == Approx(3.0));
    const double of_one = 1.0 / (image.cell.x * image.cell.y * image.cell.z);
    CHECK(image.values[place(image, 0, 0, 0)] == Approx(2.0 * of_one));
    // -0.1 along all axes: one c up (z 2.5, x -0.8, y 1.0), then one a (x 2.2).
    CHECK(image.values[place(image, 4, 2, 5)] == Approx(of_one));
    CHECK(image.time == 2.0);
}

TEST_CASE("a map of charge is a mean over frames, of boxes that change") {
    FieldMap map({MapQuantity::charge, 0.1}, Box::rectangular(2, 2, 2), {1.5, -0.5});
    map.add(Box::rectangular(2, 2, 2), std::vector<Vec3d>{{0.05, 0.05, 0.05}, {1.95, 0.05, 0.05}}, 0.0);
    map.add(Box::rectangular(4, 2, 2), std::vector<Vec3d>{{0.05, 0.05, 0.05}, {3.95, 0.05, 0.05}}, 1.0);
    const FieldImage image = map.image();
    CHECK(image.cells == std::array{20, 20, 20});
    CHECK(image.cell.x == Approx(0.15));
    CHECK(image.values[place(image, 0, 0, 0)] == Approx(0.5 * (1.5 / 1e-3 + 1.5 / 2e-3)));
    CHECK(image.values[place(image, 19, 0, 0)] == Approx(0.5 * (-0.5 / 1e-3 - 0.5 / 2e-3)));
}

TEST_CASE("a map of the potential is the sum over wave vectors, in a slanted box") {
    const std::vector<double> q{1.0, -1.0, 0.4};
    const std::vector<Vec3d> x{{0.4, 0.5, 0.6}, {1.9, 1.2, 2.1}, {5.0, -1.0, 0.3}};
    constexpr double beta = 3.12;
    FieldMap map({MapQuantity::potential, 0.2, beta, units::coulomb_codata2018}, slanted, q);
    map.add(slanted, x, 0.0);
    const FieldImage image = map.image();
    double worst = 0.0, largest = 0.0;
    for (int k = 0; k < image.cells[2]; k += 3) {
        for (int j = 0; j < image.cells[1]; j += 4) {
            for (int i = 0; i < image.cells[0]; i += 4) {
                const Vec3d r{(i + 0.5) * image.cell.x, (j + 0.5) * image.cell.y, (k + 0.5) * image.cell.z};
                const double exact = wave_sum(slanted, x, q, beta, r);
                worst = std::max(worst, std::abs(exact - double(image.values[place(image, i, j, k)])));
                largest = std::max(largest, std::abs(exact));
            }
        }
    }
    CAPTURE(worst, largest);
    CHECK(largest > 50.0);
    CHECK(worst < 1e-3 * largest);
    CHECK(std::abs(total(image)) < 1e-2 * largest);  // the mean is zero
}

TEST_CASE("vacuum has no map") {
    CHECK_THROWS_AS(FieldMap({}, Box{}, {1.0}), Error);
}

TEST_CASE("a .dx file has its cells in Angstrom, z fastest") {
    FieldImage image{.name = "number_density", .unit = "1/nm^3", .cells = {2, 1, 3}, .cell = {0.1, 0.2, 0.3}};
    image.values = {0, 1, 2, 3, 4, 5};  // x fastest
    const std::string text = map_bytes(image, MapFormat::dx, "a.dx");
    CHECK(text.find("counts 2 1 3\norigin 0.500000 1.000000 1.500000\ndelta 1.000000 0 0\n") != text.npos);
    CHECK(text.find("items 6 data follows\n0.000000e+00 2.000000e+00 4.000000e+00\n1.000000e+00 3.000000e+00 "
                    "5.000000e+00\nattribute") != text.npos);
    CHECK_THROWS_AS(map_format("a.txt"), Error);
}
