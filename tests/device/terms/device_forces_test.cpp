// SPDX-License-Identifier: Apache-2.0
#include "forces/device/device_forces.h"

#include <cmath>
#include <map>

#include <catch2/catch.hpp>

#include "forces/pair_settings.h"
#include "gpu/api/host/driver.h"
#include "parallel/threads.h"
#include "tests/device/devices.h"
#include "tests/unit/short_range/evaluate_terms.h"
#include "tests/unit/short_range/liquid.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

constexpr StepPlan forces_only{.step = 0};
constexpr StepPlan everything{.step = 0, .energies = Need::yes, .virial = Need::yes};

mesh::MeshSettings mesh_settings() {
    const mesh::PmeParameters parameters{.splitting = pme().ewald_splitting, .mesh = {24, 25, 27}, .order = 5};
    return mesh::pme_settings(parameters, pme().coulomb_constant);
}

struct Result {
    std::vector<Vec3l> forces;
    EnergySums energies;
};

// Terms of the host and of a device for the same liquid.
struct Terms {
    Liquid& liquid;
    std::vector<double> charges;
    ShortRangeSystem pairs;

    explicit Terms(Liquid& l)
        : liquid(l),
          charges(scaled_charges(l.charges, pme())),
          pairs{l.force_field, l.types, charges, l.exclusions, pme()} {}

    std::vector<std::unique_ptr<HostTerm>> on_host(PairPrecision precision) const {
        std::vector<std::unique_ptr<HostTerm>> terms;
        terms.push_back(std::make_unique<ShortRange>(pairs, precision));
        terms.push_back(std::make_unique<mesh::MeshTerm<float>>(mesh_settings(), liquid.charges));
        return terms;
    }
    std::unique_ptr<DeviceForces> on_device(const Case& c) const {
        return std::make_unique<DeviceForces>(c.info, c.settings,
                                              DeviceSystem{.pairs = pairs,
                                                           .lists = {},
                                                           .mesh = mesh_settings(),
                                                           .charges = liquid.charges,
                                                           .on_host = on_host(PairPrecision::double_)});
    }

    template <class F>
    Result evaluate(StepPlan plan, F&& f) const {
        liquid.update();
        const Lattice lattice(liquid.box, liquid.x);
        const ForceSink sink = evaluate_terms({liquid.box, lattice, liquid.x, liquid.points, plan}, f);
        return {{sink.forces().begin(), sink.forces().end()}, sink.energies()};
    }
    Result of_host(StepPlan plan, PairPrecision precision) const {
        return evaluate(plan, [&](const Evaluation& e, ForceSink& sink) {
            for (const auto& term : on_host(precision)) {
                term->rebuild(e);
                term->compute_home(e, sink);
                term->compute(e, sink);
            }
        });
    }
    // As ForceSet does it.
    Result of_device(DeviceForces& device, StepPlan plan) const {
        return evaluate(plan, [&](const Evaluation& e, ForceSink& sink) {
            if (device.expired(e)) device.rebuild(e);
            device.launch(e);
            device.collect(e, sink);
        });
    }
};

double relative_error(const std::vector<Vec3l>& found, const std::vector<Vec3l>& expected) {
    double error = 0.0, size = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        for (int a = 0; a < 3; ++a) {
            const auto d = static_cast<double>(found[i][a] - expected[i][a]), e = static_cast<double>(expected[i][a]);
            error += d * d;
            size += e * e;
        }
    }
    return std::sqrt(error / size);
}

// Every atom goes on by the same amount as the one before, in another direction.
void move(Liquid& liquid, double distance) {
    for (std::size_t i = 0; i < liquid.x.size(); ++i) {
        const double angle = 2.4 * static_cast<double>(i / 3);
        liquid.x[i] += Vec3d{distance * std::cos(angle), distance * std::sin(angle), 0.0};
    }
}

Liquid triclinic_liquid() {
    const Box box = Box::from_rows({Vec3d{3.1, 0, 0}, Vec3d{0.4, 2.9, 0}, Vec3d{-0.7, 0.5, 2.7}});
    return {box, 400, Rule::lorentz_berthelot, 5};
}

}  // namespace

TEST_CASE("forces of a device are those of the host, step after step", "[device]") {
    // Of each vendor: a square root may round otherwise than on the host.
    std::map<gpu::Backend, std::vector<std::vector<Vec3l>>> firsts;
    for (const Case& c : all_cases()) {
        INFO(c.name);
        std::vector<std::vector<Vec3l>>& first = firsts[c.info.backend];
        Liquid liquid = triclinic_liquid();
        const Terms terms(liquid);
        const auto device = terms.on_device(c);
        // Within the list, then pruned, then searched for anew.
        for (std::size_t step = 0; step < 4; ++step) {
            const std::vector<Vec3l> found = terms.of_device(*device, forces_only).forces;
            if (first.size() == step) {
                CHECK(relative_error(found, terms.of_host(forces_only, PairPrecision::mixed).forces) < 3e-6);
                first.push_back(found);
            }
            CHECK(found == first[step]);
            move(liquid, 0.06);
        }
    }
}

TEST_CASE("energies and virial of a device are those of the host", "[device]") {
    for (const Case& c : {host_cases(1).front(), host_cases(1).back()}) {
        Liquid liquid = triclinic_liquid();
        const Terms terms(liquid);
        const auto device = terms.on_device(c);
        const Result found = terms.of_device(*device, everything);
        const Result expected = terms.of_host(everything, PairPrecision::double_);
        // What is left of sums of both signs that are a hundred times as large.
        for (const Term term : {Term::lj_sr, Term::coulomb_real, Term::coulomb_recip}) {
            CHECK(found.energies[term].value() == Approx(expected.energies[term].value()).epsilon(2e-6).margin(2e-2));
        }
        const Mat3d w = found.energies.virial(), v = expected.energies.virial();
        for (std::size_t a = 0; a < 3; ++a) CHECK(norm(w[a] - v[a]) < 2e-5 * norm(v[a]));
        CHECK(found.forces == terms.of_device(*device, forces_only).forces);
    }
}

TEST_CASE("a step moves 12 bytes an atom up and 12 down, allocates nothing and waits once", "[device]") {
    Liquid liquid = triclinic_liquid();
    const Terms terms(liquid);
    const auto device = terms.on_device(host_cases(0).front());
    const auto& driver = dynamic_cast<const gpu::HostDriver&>(device->device().driver());
    terms.of_device(*device, forces_only);
    const std::uint64_t bytes = 12 * liquid.x.size();
    for (const double distance : {0.001, 0.06}) {  // with the list as it is, and with one that is pruned
        move(liquid, distance);
        const gpu::HostCounts before = driver.counts();
        terms.of_device(*device, forces_only);
        const gpu::HostCounts& after = driver.counts();
        CHECK(after.bytes_up - before.bytes_up == bytes);
        CHECK(after.bytes_down - before.bytes_down == bytes);
        CHECK(after.copies - before.copies == 2);
        CHECK(after.allocations == before.allocations);
        CHECK(after.waits - before.waits == 1);
    }
}

TEST_CASE("what single precision is not good for is computed by the host", "[device]") {
    const Case c = host_cases(1).back();
    Liquid liquid = triclinic_liquid();
    const Terms terms(liquid);
    const auto device = terms.on_device(c);
    StepPlan overlaps = everything;
    overlaps.overlaps = Need::yes;
    CHECK(terms.of_device(*device, overlaps).forces == terms.of_host(everything, PairPrecision::double_).forces);

    terms.of_device(*device, forces_only);
    const std::vector<Vec3d> kept = liquid.x;
    liquid.x[3] = liquid.x[0] + Vec3d{0.08, 0.03, 0.0};  // two oxygens
    for (const StepPlan& plan : {forces_only, everything}) {
        const Result found = terms.of_device(*device, plan), expected = terms.of_host(plan, PairPrecision::double_);
        CHECK(found.forces == expected.forces);
        CHECK(found.energies.potential() == expected.energies.potential());
    }
    liquid.x = kept;
    CHECK(relative_error(terms.of_device(*device, forces_only).forces,
                         terms.of_host(forces_only, PairPrecision::mixed).forces) < 3e-6);
}

TEST_CASE("a device that computes something else than the host ends the run", "[device]") {
    const Case c = host_cases(0).front();
    Liquid liquid = triclinic_liquid();
    const Terms terms(liquid);
    const auto run = [&](DeviceSystem system) {
        DeviceForces device(c.info, c.settings, std::move(system));
        return terms.of_device(device, forces_only);
    };
    const auto system = [&] {
        return DeviceSystem{.pairs = terms.pairs,
                            .lists = {},
                            .mesh = mesh_settings(),
                            .charges = liquid.charges,
                            .on_host = terms.on_host(PairPrecision::double_)};
    };
    CHECK_NOTHROW(run(system()));
    std::vector<double> charges = liquid.charges;
    charges[5] *= 1.1;
    DeviceSystem other_mesh = system();
    other_mesh.charges = charges;
    CHECK_THROWS_WITH(run(std::move(other_mesh)), Catch::Matchers::Contains("MD707"));
    DeviceSystem without_mesh = system();
    without_mesh.mesh.reset();
    CHECK_THROWS_WITH(run(std::move(without_mesh)), Catch::Matchers::Contains("forces"));
}
