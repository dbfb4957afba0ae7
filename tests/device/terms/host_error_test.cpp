// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/error.h"
#include "forces/device/device_forces.h"
#include "forces/force_set.h"
#include "forces/pair_settings.h"
#include "tests/device/devices.h"
#include "tests/unit/short_range/liquid_topology.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

/// A term of the host that comes apart in every n-th evaluation.
class Failing final : public HostTerm {
  public:
    explicit Failing(int every) : every_(every) {}
    Part part() const override { return Part::bonded; }
    void rebuild(const Evaluation&) override {}
    void compute(const Evaluation&, ForceSink&) override {
        if (++count_ % every_ != 0) return;
        throw Error(ExitCode::unstable,
                    Problem{.code = "MD501", .what = "a term of the host", .why = {}, .remedy = {}});
    }

  private:
    int every_, count_ = 0;
};

struct System {
    Liquid liquid{Box::rectangular(2.2, 2.2, 2.2), 150, Rule::lorentz_berthelot, 3};
    std::vector<double> charges = scaled_charges(liquid.charges, pme());
    State state{.box = liquid.box, .x = liquid.x, .v = {}, .references = {}, .coupling = {}};
    Topology topology = topology_of(liquid);
    Comm comm;
    Domain domain{comm, topology, {}};

    ForceSet forces(const Case& c, int failing_every) {
        const ShortRangeSystem pairs{liquid.force_field, liquid.types, charges, liquid.exclusions, pme()};
        DeviceSystem system{.pairs = pairs, .lists = {}, .mesh = {}, .charges = {}, .on_host = {}};
        system.on_host.push_back(std::make_unique<ShortRange>(pairs, PairPrecision::double_));
        ForceTerms terms;
        terms.host.push_back(std::make_unique<Failing>(failing_every));
        terms.device.push_back(std::make_unique<DeviceForces>(c.info, c.settings, std::move(system)));
        return {std::move(terms), domain, 0};
    }
};

}  // namespace

// The device has work in its streams when the host's error comes, and the error is the one that is seen; the streams
// are done before the memory goes that they work in (the address sanitizer would find it).
TEST_CASE("an error of the host while the device works is the one that ends the run", "[device]") {
    System system;
    for (const Case& c : host_cases(3)) {
        INFO(c.name);
        for (const int every : {1, 2}) {
            ForceSet forces = system.forces(c, every);
            if (every == 2) forces.evaluate(system.state, {.step = 0});
            CHECK_THROWS_WITH(forces.evaluate(system.state, {.step = 1}), Catch::Contains("a term of the host"));
        }
    }
}

// A device that is lost at any operation of two evaluations: when it is put into a stream, while the host waits, or in
// the work that an error of the host has left behind.
TEST_CASE("a device that is lost never keeps the host waiting", "[device]") {
    System system;
    for (Case c : host_cases(2)) {
        INFO(c.name);
        for (const std::uint64_t operations : {0, 1, 2, 3, 5, 8, 11, 14, 17, 20, 23, 26}) {
            c.settings.lost_after = operations;
            for (const int failing_every : {1, 1000}) {
                ForceSet forces = system.forces(c, failing_every);
                const auto evaluate = [&] {
                    for (int step = 0; step < 6; ++step) forces.evaluate(system.state, {.step = step});
                };
                CHECK_THROWS_AS(evaluate(), Error);
            }
        }
    }
}
