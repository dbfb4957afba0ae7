// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/mesh_term.h"

#include <algorithm>
#include <numeric>

#include <catch2/catch.hpp>
#include <omp.h>

#include "core/units.h"
#include "mesh/evaluate.h"
#include "mesh/ewald_sum.h"

using namespace mdsim;
using test::Evaluated;

namespace {

constexpr double ke = units::coulomb_codata2018;

std::vector<Box> boxes() {
    return {Box::rectangular(2.0, 2.3, 2.6),
            Box::from_rows({Vec3d{2.4, 0, 0}, Vec3d{0.7, 2.2, 0}, Vec3d{-0.9, 0.8, 2.1}}),
            Box::from_lengths_angles({2.5, 2.5, 2.5}, {60, 60, 90})};
}

mesh::MeshSettings settings(int order, std::array<int, 3> n, double beta = 3.0) {
    return {n, {mesh::WindowShape::bspline, order}, mesh::GaussianSplit{beta}, ke};
}

/// Of every window, at a spacing that suits each.
std::vector<mesh::MeshSettings> every_window(std::array<int, 3> n) {
    std::vector<mesh::MeshSettings> all;
    for (int order : {4, 5, 6}) all.push_back(settings(order, n));
    for (int order : {5, 6, 7, 8}) {
        const mesh::EspParameters p{
            .split_bandwidth = 10.5, .window_bandwidth = 2.1 * order, .mesh = n, .order = order};
        all.push_back(mesh::esp_settings(p, 0.8, ke));
    }
    return all;
}

std::vector<Vec3l> units_of(const ForceSink& sink) {
    return {sink.forces().begin(), sink.forces().end()};
}

void check_virial(const mesh::MeshSettings& s, const Box& box, const test::Charges& c) {
    mesh::MeshTerm<double> term(s, c.q);
    const Mat3d w = Evaluated(term, box, c.x).sink.energies().virial();
    for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b <= a; ++b) {
            const double step = 1e-5;
            std::array<double, 2> energy{};
            for (std::size_t side = 0; side < 2; ++side) {
                // x_b += strain * x_a, which keeps the box lower triangular.
                Mat3d m{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
                m[a][static_cast<int>(b)] += side == 0 ? step : -step;
                std::vector<Vec3d> x = c.x;
                for (Vec3d& r : x) r = r.x * m[0] + r.y * m[1] + r.z * m[2];
                energy[side] = Evaluated(term, box.transformed(m), x).energy();
            }
            const double numeric = (energy[1] - energy[0]) / (2 * step);
            CHECK(w[a][static_cast<int>(b)] == Approx(numeric).epsilon(1e-5).margin(2e-3));
            CHECK(w[b][static_cast<int>(a)] == w[a][static_cast<int>(b)]);
        }
    }
}

}  // namespace

TEST_CASE("the mesh sum converges to the plain Ewald sum", "[mesh]") {
    for (const Box& box : boxes()) {
        const test::Charges c = test::scattered_charges(box, 60, 1.0);
        const test::EwaldResult exact = test::ewald_reciprocal(box, c.x, c.q, 3.0, ke, 14);
        const double virial_size =
            std::abs(exact.virial[0].x) + std::abs(exact.virial[1].y) + std::abs(exact.virial[2].z);
        double before = 1.0;
        for (int order : {4, 5, 6}) {
            mesh::MeshTerm<double> term(settings(order, {48, 45, 50}), c.q);
            const Evaluated e(term, box, c.x);
            const double error = e.relative_error(exact.force);
            INFO("order " << order << " force error " << error << " energy " << e.energy() - exact.energy);
            CHECK(error < (order == 4 ? 5e-4 : order == 5 ? 5e-5 : 8e-6));
            CHECK(error < before);
            before = error;
            CHECK(std::abs(e.energy() - exact.energy) < 1e-4 * exact.energy);
            const Mat3d w = e.sink.energies().virial();
            for (std::size_t a = 0; a < 3; ++a) {
                for (int b = 0; b < 3; ++b) CHECK(std::abs(w[a][b] - exact.virial[a][b]) < 2e-4 * virial_size);
            }
        }
    }
}

TEST_CASE("a fine mesh in double precision reaches six digits", "[mesh]") {
    const Box box = boxes()[1];
    const test::Charges c = test::scattered_charges(box, 60);
    const test::EwaldResult exact = test::ewald_reciprocal(box, c.x, c.q, 2.5, ke, 14);
    mesh::MeshTerm<double> term(settings(6, {96, 96, 96}, 2.5), c.q);
    const Evaluated e(term, box, c.x);
    CHECK(e.relative_error(exact.force) < 1e-7);
    CHECK(e.energy() == Approx(exact.energy).epsilon(1e-7));
}

TEST_CASE("mixed precision follows double precision", "[mesh]") {
    for (const Box& box : boxes()) {
        const test::Charges c = test::scattered_charges(box, 300, -2.0);
        for (const mesh::MeshSettings& s : every_window({36, 35, 40})) {
            mesh::MeshTerm<double> exact_term(s, c.q);
            mesh::MeshTerm<float> term(s, c.q);
            const Evaluated exact(exact_term, box, c.x), e(term, box, c.x);
            std::vector<Vec3d> f;
            for (std::size_t i = 0; i < c.x.size(); ++i) f.push_back(exact.sink.force(i));
            CHECK(e.relative_error(f) < 3e-6);
            CHECK(e.energy() == Approx(exact.energy()).epsilon(1e-6));
        }
    }
}

TEST_CASE("mesh forces are minus the derivative of the mesh energy", "[mesh]") {
    for (const Box& box : boxes()) {
        test::Charges c = test::scattered_charges(box, 20, 0.5);
        for (const mesh::MeshSettings& s : every_window({20, 18, 21})) {
            mesh::MeshTerm<double> term(s, c.q);
            const Evaluated e(term, box, c.x);
            const double step = 1e-4;  // positions are lattice points of 5e-10 nm
            for (std::size_t i : {std::size_t{0}, std::size_t{7}, std::size_t{19}}) {
                for (int axis = 0; axis < 3; ++axis) {
                    std::vector<Vec3d> x = c.x;
                    x[i][axis] += step;
                    const double up = Evaluated(term, box, x).energy();
                    x[i][axis] -= 2 * step;
                    const double down = Evaluated(term, box, x).energy();
                    CHECK(e.sink.force(i)[axis] == Approx((down - up) / (2 * step)).margin(2e-3).epsilon(1e-5));
                }
            }
        }
    }
}

TEST_CASE("the mesh virial is minus the strain derivative of the mesh energy", "[mesh]") {
    for (const Box& box : boxes()) {
        const test::Charges c = test::scattered_charges(box, 20, 0.5);
        const std::vector<mesh::MeshSettings> windows = every_window({20, 18, 21});
        for (const mesh::MeshSettings& s : {windows[0], windows[3], windows[6]}) check_virial(s, box, c);
    }
}

TEST_CASE("mesh bits do not depend on threads, order of atoms or energies", "[mesh][determinism]") {
    const int threads_before = omp_get_max_threads();
    const Box box = boxes()[1];
    const test::Charges c = test::scattered_charges(box, 500);
    std::vector<std::size_t> order(c.x.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = 0; i < order.size(); ++i) std::swap(order[i], order[(i * 7919 + 13) % order.size()]);
    std::vector<Vec3d> x;
    std::vector<double> q;
    for (std::size_t i : order) {
        x.push_back(c.x[i]);
        q.push_back(c.q[i]);
    }
    for (const mesh::MeshSettings& s : every_window({20, 24, 27})) {
        omp_set_num_threads(1);
        mesh::MeshTerm<float> term(s, c.q), shuffled_term(s, q);
        const Evaluated first(term, box, c.x);
        for (int threads : {1, 2, 3, 4, 7, 40}) {
            omp_set_num_threads(threads);
            const Evaluated e(term, box, c.x), forces_only(term, box, c.x, Need::no), shuffled(shuffled_term, box, x);
            CHECK(units_of(e.sink) == units_of(first.sink));
            CHECK(units_of(forces_only.sink) == units_of(first.sink));
            CHECK(e.energy() == first.energy());
            CHECK(shuffled.energy() == first.energy());
            CHECK(e.sink.energies().virial() == first.sink.energies().virial());
            bool same = true;
            for (std::size_t i = 0; i < order.size(); ++i) {
                same = same && shuffled.sink.forces()[i] == first.sink.forces()[order[i]];
            }
            CHECK(same);
        }
    }
    omp_set_num_threads(threads_before);
}

TEST_CASE("atoms without charge feel no mesh force", "[mesh]") {
    const Box box = boxes()[0];
    test::Charges c = test::scattered_charges(box, 30);
    c.q[5] = c.q[17] = 0.0;
    mesh::MeshTerm<float> term(settings(4, {24, 24, 24}), c.q);
    const Evaluated e(term, box, c.x);
    CHECK(e.sink.forces()[5] == Vec3l{});
    CHECK(e.sink.forces()[17] == Vec3l{});
    CHECK(e.sink.forces()[6] != Vec3l{});
}

TEST_CASE("too much charge on one point is reported", "[mesh]") {
    const Box box = boxes()[0];
    const std::vector<Vec3d> x(400, Vec3d{1, 1, 1});
    mesh::MeshTerm<float> term(settings(4, {24, 24, 24}), std::vector<double>(400, 1.0));
    CHECK_THROWS_WITH(Evaluated(term, box, x), Catch::Contains("MD501"));
}
