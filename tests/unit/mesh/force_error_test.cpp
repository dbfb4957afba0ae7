// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/units.h"
#include "forces/mesh/pme_parameters.h"
#include "mesh/charged_system.h"

using namespace mdsim;
using namespace mdsim::mesh;

namespace {

constexpr double ke = units::coulomb_codata2018;

struct Measured {
    PmeParameters parameters;
    double error;  ///< RMS error over RMS force
};

Measured measure(const test::ChargedSystem& system, const std::vector<Vec3d>& exact, double cutoff, double wanted) {
    PmeRequest request;
    request.cutoff = cutoff;
    request.force_error = wanted;
    const PmeParameters p = choose_pme(request, system.box, system.statistics, ke);
    const std::vector<Vec3d> f = test::electrostatic_forces(system, p, cutoff);
    return {p, test::root_mean_square_difference(f, exact) / test::root_mean_square(exact)};
}

void print(const test::ChargedSystem& system, double cutoff, double wanted, const Measured& m, double force) {
    const PmeParameters& p = m.parameters;
    std::printf("| %s | %.1f | %.0e | %.2f | %d | %d %d %d | %.1e | %.1e | %.0f / %.0f | %.2e | %.2f |\n",
                system.name.c_str(), cutoff, wanted, p.splitting, p.order, p.mesh[0], p.mesh[1], p.mesh[2],
                p.direct_error, p.mesh_error, p.force_scale, force, m.error, m.error / wanted);
}

void check_default(const test::ChargedSystem& system) {
    INFO(system.name);
    const std::vector<Vec3d> exact = test::exact_forces(system);
    const Measured m = measure(system, exact, 0.9, 5e-4);
    CHECK(m.error <= 5e-4);
    CHECK(m.error > 5e-5);  // an error far below the wish is paid for with time
}

}  // namespace

TEST_CASE("the force error is at or below the wish in a protein, water and molten salt", "[mesh][force_error]") {
    for (const test::ChargedSystem& system : test::bundled_systems()) check_default(system);
}

namespace {

double esp_error(const test::ChargedSystem& system, const std::vector<Vec3d>& exact, double cutoff, double wanted) {
    EspRequest request;
    request.cutoff = cutoff;
    request.force_error = wanted;
    const EspParameters p = choose_esp(request, system.box, system.statistics);
    const std::vector<Vec3d> f = test::electrostatic_forces(system, p, cutoff);
    const double error = test::root_mean_square_difference(f, exact) / test::root_mean_square(exact);
    std::printf("| %s | %.1f | %.0e | %g | %g | %d | %d %d %d | %.1e | %.2e | %.2f |\n", system.name.c_str(), cutoff,
                wanted, p.split_bandwidth, p.window_bandwidth, p.order, p.mesh[0], p.mesh[1], p.mesh[2], p.force_error,
                error, error / wanted);
    return error;
}

}  // namespace

TEST_CASE("the force error of prolates is at or below the wish", "[mesh][esp][force_error]") {
    std::vector<test::ChargedSystem> systems = test::bundled_systems();
    systems.push_back(test::random_charges());
    for (test::ChargedSystem& s : test::reference_systems(test::Extent::small)) systems.push_back(std::move(s));
    for (const test::ChargedSystem& system : systems) {
        INFO(system.name);
        const std::vector<Vec3d> exact = test::exact_forces(system);
        for (double wanted : {5e-4, 5e-5}) CHECK(esp_error(system, exact, 0.9, wanted) <= wanted);
    }
}

TEST_CASE("a wish below what the model was fitted to is met in double precision", "[mesh][force_error]") {
    for (const test::ChargedSystem& system : test::reference_systems(test::Extent::small)) {
        INFO(system.name);
        CHECK(measure(system, test::exact_forces(system), 0.9, 1e-6).error <= 1e-6);
    }
}

TEST_CASE("the force error is at or below the wish in reference systems", "[mesh][force_error]") {
    for (const test::ChargedSystem& system : test::reference_systems(test::Extent::small)) check_default(system);
}

namespace {

std::vector<test::ChargedSystem> all_systems() {
    std::vector<test::ChargedSystem> systems = test::bundled_systems();
    for (test::ChargedSystem& s : test::reference_systems(test::Extent::all)) systems.push_back(std::move(s));
    return systems;
}

}  // namespace

// The table of validation/pme_accuracy.
TEST_CASE("table of force errors", "[.][validation]") {
    for (const test::ChargedSystem& system : all_systems()) {
        const std::vector<Vec3d> exact = test::exact_forces(system);
        const double force = test::root_mean_square(exact);
        for (double cutoff : {0.9, 1.0, 1.2}) {
            if (cutoff > 0.5 * system.box.smallest_height()) continue;
            for (double wanted : {2e-3, 5e-4, 1e-4, 1e-5}) {
                const Measured m = measure(system, exact, cutoff, wanted);
                print(system, cutoff, wanted, m, force);
                CHECK(m.error <= wanted);
            }
        }
    }
}

// The table of validation/esp_accuracy.
TEST_CASE("table of force errors of prolates", "[.][esp_validation]") {
    std::vector<test::ChargedSystem> systems = all_systems();
    systems.push_back(test::random_charges());
    for (const test::ChargedSystem& system : systems) {
        const std::vector<Vec3d> exact = test::exact_forces(system);
        for (double cutoff : {0.9, 1.2}) {
            if (cutoff > 0.5 * system.box.smallest_height()) continue;
            for (double wanted : {2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5}) {
                CHECK(esp_error(system, exact, cutoff, wanted) <= wanted);
            }
        }
    }
}

// What validation/pme_accuracy/fit.py reads: the error of the mesh alone, against a fine mesh at the same splitting.
TEST_CASE("errors of the mesh alone", "[.][calibration]") {
    std::printf("system,atoms,density,mean_square_charge,beta,order,spacing,error\n");
    for (const test::ChargedSystem& s : all_systems()) {
        const double atoms = static_cast<double>(s.x.size());
        for (double beta : {2.2, 2.8, 3.4, 4.2}) {
            PmeParameters p;
            p.splitting = beta;
            const auto forces = [&](double spacing, int order) {
                p.order = order;
                for (std::size_t a = 0; a < 3; ++a) {
                    p.mesh[a] = static_cast<int>(std::lround(norm(s.box.rows()[a]) / spacing));
                }
                return test::mesh_forces(s, p);
            };
            const std::vector<Vec3d> exact = forces(std::min(0.05, 0.2 / beta), 6);
            for (int order : {4, 5, 6}) {
                for (double spacing : {0.08, 0.10, 0.12, 0.14, 0.17, 0.20}) {
                    const double error = test::root_mean_square_difference(forces(spacing, order), exact);
                    std::printf("%s,%zu,%.4f,%.5f,%.2f,%d,%.4f,%.4e\n", s.name.c_str(), s.x.size(),
                                atoms / s.box.volume(), s.statistics.sum_squares / atoms, beta, order,
                                norm(s.box.rows()[0]) / p.mesh[0], error);
                }
            }
        }
    }
}

// What the table of choose_esp was made from.
TEST_CASE("errors of sets of prolates", "[.][esp_calibration]") {
    std::vector<test::ChargedSystem> systems = all_systems();
    systems.push_back(test::random_charges());
    std::printf("system,order,spacing,split,window,error\n");
    for (const test::ChargedSystem& s : systems) {
        const std::vector<Vec3d> exact = test::exact_forces(s);
        const double force = test::root_mean_square(exact);
        const auto measure_set = [&](int order, double spacing, double split, double window) {
            EspParameters p{.split_bandwidth = split, .window_bandwidth = window, .order = order};
            for (std::size_t a = 0; a < 3; ++a) {
                p.mesh[a] = std::max(8, static_cast<int>(std::ceil(norm(s.box.rows()[a]) / (spacing * 0.9) - 1e-6)));
            }
            const double error =
                test::root_mean_square_difference(test::electrostatic_forces(s, p, 0.9), exact) / force;
            std::printf("%s,%d,%.3f,%.2f,%.2f,%.3e\n", s.name.c_str(), order, spacing, split, window, error);
        };
        for (double spacing : {0.38, 0.30, 0.25, 0.21, 0.17}) {
            for (int order : {5, 6, 7, 8}) {
                for (double split : {3.00, 3.15, 3.30, 3.45}) {
                    for (double window : {2.0, 2.2}) {
                        if (split / spacing <= 17.5) measure_set(order, spacing, split / spacing, window * order);
                    }
                }
            }
        }
    }
}

TEST_CASE("what is given is kept, and the rest is chosen for it", "[mesh]") {
    const Box box = Box::rectangular(6.2, 6.2, 6.4);
    const ChargeStatistics water{24000, 24000 * 0.3478, 0.0};
    PmeRequest request;
    const PmeParameters free = choose_pme(request, box, water, ke);
    CHECK(free.force_error() <= 0.9 * request.force_error);
    request.mesh = std::array<int, 3>{70, 71, 72};
    request.order = 5;
    const PmeParameters with_mesh = choose_pme(request, box, water, ke);
    CHECK(with_mesh.mesh == std::array<int, 3>{70, 71, 72});
    CHECK(with_mesh.order == 5);
    CHECK(with_mesh.force_error() < free.force_error());
    request = {};
    request.spacing = 0.12;
    request.splitting = 3.12;
    const PmeParameters with_spacing = choose_pme(request, box, water, ke);
    CHECK(with_spacing.splitting == 3.12);
    for (std::size_t a = 0; a < 3; ++a) CHECK(norm(box.rows()[a]) / with_spacing.mesh[a] <= 0.12);
}

TEST_CASE("a smaller wish costs a finer mesh, a wish out of reach is refused", "[mesh]") {
    const Box box = Box::rectangular(4, 4, 4);
    const ChargeStatistics water{6400, 6400 * 0.3478, 0.0};
    double before = 1.0;
    for (double wanted : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6}) {
        PmeRequest request;
        request.force_error = wanted;
        const PmeParameters p = choose_pme(request, box, water, ke);
        CHECK(p.force_error() <= 0.9 * wanted);
        CHECK(p.force_error() < before);
        before = p.force_error();
    }
    PmeRequest request;
    request.force_error = 1e-14;
    CHECK_THROWS_AS(choose_pme(request, box, water, ke), Error);
    request.mesh = {64, 64, 64};  // given: kept, whatever it gives
    CHECK(choose_pme(request, box, water, ke).force_error() < 1e-3);
}

TEST_CASE("a mesh that cannot be computed is refused", "[mesh]") {
    const Box box = Box::rectangular(4, 4, 4);
    const ChargeStatistics water{6400, 6400 * 0.3478, 0.0};
    PmeRequest few, order, splitting;
    few.mesh = std::array<int, 3>{32, 4, 32};
    order.order = 7;
    splitting.splitting = 0.0;
    for (const PmeRequest& request : {few, order, splitting}) {
        CHECK_THROWS_WITH(choose_pme(request, box, water, ke), Catch::Contains("MD454"));
    }
}

TEST_CASE("what is given for prolates is kept, and what cannot be computed is refused", "[mesh][esp]") {
    const Box box = Box::rectangular(4, 4, 4);
    const ChargeStatistics water{6400, 6400 * 0.3478, 0.0};
    EspRequest request;
    const EspParameters free = choose_esp(request, box, water);
    CHECK(free.order == 6);
    CHECK(free.mesh == std::array<int, 3>{15, 15, 15});
    CHECK(free.force_error <= request.force_error);
    double before = 1.0;
    for (double wanted : {2e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5}) {
        request.force_error = wanted;
        const double error = choose_esp(request, box, water).force_error;
        CHECK(error <= wanted);
        CHECK(error < before);
        before = error;
    }
    request = {};
    request.mesh = std::array<int, 3>{20, 21, 24};
    request.order = 6;
    CHECK(choose_esp(request, box, water).mesh == request.mesh);
    CHECK(choose_esp(request, box, water).order == 6);
    request = {};
    request.spacing = 0.2;
    const EspParameters with_spacing = choose_esp(request, box, water);
    for (std::size_t a = 0; a < 3; ++a) CHECK(norm(box.rows()[a]) / with_spacing.mesh[a] <= 0.2);
    EspRequest few, coarse, order, error;
    few.mesh = std::array<int, 3>{32, 4, 32};
    coarse.mesh = std::array<int, 3>{32, 10, 32};
    order.order = 4;
    error.force_error = 1e-9;
    for (const EspRequest& refused : {few, coarse, order, error}) {
        CHECK_THROWS_WITH(choose_esp(refused, box, water), Catch::Contains("MD454"));
    }
}

TEST_CASE("transform sizes are products of 2, 3, 5 and 7", "[mesh]") {
    CHECK(transform_size(1) == 8);
    CHECK(transform_size(50) == 50);
    CHECK(transform_size(51) == 54);
    CHECK(transform_size(61) == 63);
    CHECK(transform_size(97) == 98);
    CHECK(transform_size(113) == 120);
}

TEST_CASE("charge statistics tell ions from molecules", "[mesh]") {
    Topology topology;
    MoleculeType water, ion;
    for (double q : {-0.8, 0.4, 0.4}) {
        Atom atom;
        atom.charge = q;
        water.atoms.push_back(atom);
    }
    water.exclusions = {{0, 1}, {0, 2}, {1, 2}};
    Atom atom;
    atom.charge = 2.0;
    ion.atoms = {atom};
    topology.types = {water, ion};
    topology.blocks = {{0, 10}, {1, 3}};
    const ChargeStatistics s = charge_statistics(topology);
    CHECK(s.atoms == 33);
    CHECK(s.sum_squares == Approx(10 * 0.96 + 12.0));
    CHECK(s.free_squares == Approx(12.0));
}

TEST_CASE("without charges a splitting is chosen that the kernels hold for", "[mesh]") {
    PmeRequest request;
    request.cutoff = 0.9;
    const PmeParameters p = choose_pme(request, Box::rectangular(4.0, 4.0, 4.0), {.atoms = 1000}, ke);
    CHECK(p.splitting == Approx(3.0 / 0.9));
}
