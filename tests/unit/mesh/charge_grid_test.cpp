// SPDX-License-Identifier: Apache-2.0
#include "forces/mesh/charge_grid.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>
#include <hwy/targets.h>
#include <omp.h>

#include "core/units.h"
#include "forces/mesh/mesh_term.h"
#include "mesh/evaluate.h"
#include "mesh/ewald_sum.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

// M_order by its definition as repeated averages: eq. 4.1 of Essmann et al. (1995), recursively.
double spline(int order, double u) {
    if (u <= 0.0 || u >= order) return 0.0;
    if (order == 2) return 1.0 - std::abs(u - 1.0);
    return (u * spline(order - 1, u) + (order - u) * spline(order - 1, u - 1.0)) / (order - 1);
}

std::vector<LatticePoint> points_of(const Box& box, const std::vector<Vec3d>& x) {
    const Lattice lattice(box, x);
    std::vector<LatticePoint> points(x.size());
    lattice.points(x, points);
    return points;
}

template <class Real>
std::vector<std::int64_t> spread_charges(std::array<int, 3> n, int order, const std::vector<double>& q,
                                         const std::vector<LatticePoint>& points) {
    ChargeGrid<Real> grid(n, {WindowShape::bspline, order}, q);
    grid.spread(points);
    std::vector<std::int64_t> out;
    for (int x = 0; x < n[0]; ++x) {
        for (int y = 0; y < n[1]; ++y) {
            for (int z = 0; z < n[2]; ++z) out.push_back(grid.block().charge(x, y, z));
        }
    }
    return out;
}

}  // namespace

TEST_CASE("an atom is spread by products of B-splines", "[mesh]") {
    const std::array<int, 3> n{10, 12, 9};
    const std::vector<LatticePoint> at{{4000000000u, 123456789u, 4294967295u}};
    const double unit = std::ldexp(1.0, charge_bits<double>);
    for (int order : {4, 5, 6}) {
        const std::vector<std::int64_t> grid = spread_charges<double>(n, order, {0.75}, at);
        const std::array<std::uint32_t, 3> u{at[0].x, at[0].y, at[0].z};
        std::array<std::vector<double>, 3> weight;
        for (std::size_t a = 0; a < 3; ++a) {
            const double s = std::ldexp(static_cast<double>(u[a]), -32) * n[a];
            weight[a].assign(static_cast<std::size_t>(n[a]), 0.0);
            for (int j = 0; j < order; ++j) {
                const int node = (static_cast<int>(s) + j) % n[a];
                weight[a][static_cast<std::size_t>(node)] = spline(order, s - std::floor(s) + order - 1 - j);
            }
        }
        double worst = 0.0;
        std::int64_t sum = 0;
        std::size_t i = 0;
        for (double wx : weight[0]) {
            for (double wy : weight[1]) {
                for (double wz : weight[2]) {
                    worst = std::max(worst, std::abs(static_cast<double>(grid[i]) / unit - 0.75 * wx * wy * wz));
                    sum += grid[i++];
                }
            }
        }
        CHECK(worst < 1e-13);
        // The weights sum to one: the mesh holds the charge, up to one rounding of each addend.
        CHECK(std::abs(static_cast<double>(sum) - 0.75 * unit) < 0.5 * order * order * order);
    }
}

TEST_CASE("the charge mesh does not depend on threads or the order of atoms", "[mesh][determinism]") {
    const int threads_before = omp_get_max_threads();
    const Box box = Box::from_rows({Vec3d{2.4, 0, 0}, Vec3d{0.7, 2.2, 0}, Vec3d{-0.9, 0.8, 2.1}});
    const test::Charges c = test::scattered_charges(box, 700);
    const std::array<int, 3> n{15, 16, 18};
    const std::vector<LatticePoint> points = points_of(box, c.x);
    for (int order : {4, 5, 6}) {
        omp_set_num_threads(1);
        const auto one = spread_charges<float>(n, order, c.q, points);
        for (int threads : {1, 2, 3, 4, 20}) {
            omp_set_num_threads(threads);
            CHECK(spread_charges<float>(n, order, c.q, points) == one);
            std::vector<LatticePoint> reversed(points.rbegin(), points.rend());
            CHECK(spread_charges<float>(n, order, {c.q.rbegin(), c.q.rend()}, reversed) == one);
        }
        omp_set_num_threads(1);
    }
    omp_set_num_threads(threads_before);
}

TEST_CASE("the mixed charge mesh is the double one, rounded", "[mesh]") {
    const Box box = Box::rectangular(2, 2, 2);
    const test::Charges c = test::scattered_charges(box, 200);
    const std::array<int, 3> n{16, 16, 16};
    const std::vector<LatticePoint> points = points_of(box, c.x);
    for (int order : {4, 5, 6}) {
        const auto mixed = spread_charges<float>(n, order, c.q, points);
        const auto exact = spread_charges<double>(n, order, c.q, points);
        double worst = 0.0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            worst = std::max(worst, std::abs(static_cast<double>(mixed[i]) - std::ldexp(double(exact[i]), -20)));
        }
        // Units of 2^-24 e: some ten addends with half a unit each, and weights of 24 bits.
        CHECK(worst < 12.0);
    }
}

TEST_CASE("every instruction set gives the forces and energies of the Ewald sum", "[mesh][simd]") {
    const Box box = Box::from_rows({Vec3d{2.4, 0, 0}, Vec3d{0.7, 2.2, 0}, Vec3d{-0.9, 0.8, 2.1}});
    const test::Charges c = test::scattered_charges(box, 60, 1.0);
    const double beta = 2.5, ke = units::coulomb_codata2018;
    const test::EwaldResult exact = test::ewald_reciprocal(box, c.x, c.q, beta, ke, 14);
    const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
    CHECK_FALSE(targets.empty());
    for (const std::int64_t target : targets) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        INFO("target " << hwy::TargetName(target));
        for (int order : {4, 5, 6}) {
            const MeshSettings settings{{64, 60, 63}, {WindowShape::bspline, order}, GaussianSplit{beta}, ke};
            MeshTerm<double> fine(settings, c.q);
            MeshTerm<float> mixed(settings, c.q);
            const test::Evaluated d(fine, box, c.x), f(mixed, box, c.x);
            const double tolerance = order == 4 ? 2e-4 : order == 5 ? 2e-5 : 2e-6;
            CHECK(d.relative_error(exact.force) < tolerance);
            CHECK(f.relative_error(exact.force) < tolerance + 3e-6);
            CHECK(d.energy() == Approx(exact.energy).epsilon(tolerance));
            CHECK(f.energy() == Approx(exact.energy).epsilon(tolerance + 1e-6));
            CHECK(d.sink.energies().virial()[1].x == Approx(exact.virial[1].x).margin(tolerance * 10 * exact.energy));
        }
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}
