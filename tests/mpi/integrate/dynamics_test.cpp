// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/dealt_system.h"
#include "integrate/integrator.h"
#include "run/coupling.h"
#include "world.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

enum class Barostat { none, c_rescale, semi_isotropic, monte_carlo };
enum class Scheme { leap_frog, langevin };

struct Protocol {
    Scheme scheme;
    Barostat barostat;
    Frozen frozen;
};

constexpr double dt = 0.002;
constexpr int every = 3;

Coupling::Settings coupling_of(const Protocol& protocol, const Topology& topology, double degrees) {
    Coupling::Settings settings{.every = every, .remove_com_every = 4, .temperature = {250.0, 300.0, 0, 20}};
    if (protocol.scheme == Scheme::leap_frog)
        settings.v_rescale.emplace(VRescale::Settings{0.1, every * dt, degrees, 91});
    const auto coupling =
        protocol.barostat == Barostat::semi_isotropic ? PressureCoupling::semi_isotropic : PressureCoupling::isotropic;
    if (protocol.barostat == Barostat::monte_carlo) {
        settings.monte_carlo.emplace(topology, MonteCarloBarostat::Settings{coupling, 500.0, 93});
    } else if (protocol.barostat != Barostat::none) {
        settings.c_rescale.emplace(CRescale::Settings{coupling, 500.0, 1.0, every * dt, 1e-4, 92});
    }
    return settings;
}

// Steps in which every atom is tied to its place by a spring. All ranks of a Comm make one of these together.
class Dynamics {
  public:
    Dynamics(const System& system, const Protocol& protocol, const Comm& comm)
        : system_(system),
          comm_(comm),
          all_(all_atoms(system.topology, protocol.frozen)),
          home_(of_home(all_, dealt(system.topology, comm, 0))),
          constraints_(system.topology, home_),
          coupling_(coupling_of(protocol, system.topology, degrees())) {
        if (protocol.scheme == Scheme::langevin) {
            integrator_ = std::make_unique<Langevin>(Langevin::Settings{dt, 2.0, 94});
        } else {
            integrator_ = std::make_unique<LeapFrog>(dt);
        }
        state_.box = system.box;
        state_.x = of_home(system.x, home_.id);
        state_.v.resize(state_.x.size());
        prepare_dynamics(state_, home_, constraints_, comm_);
        generate_velocities(state_, home_, constraints_, {300.0, degrees(), 95, ComRemoval::yes}, comm_);
    }

    void run(std::int64_t last_step) {
        for (; state_.step < last_step; ++state_.step) step();
    }

    /// Other units are at home from here on.
    void deal(unsigned number) {
        const std::vector<Vec3d> x = positions(), v = velocities();
        home_ = of_home(all_, dealt(system_.topology, comm_, number));
        state_.x = of_home(x, home_.id);
        state_.v = of_home(v, home_.id);
        constraints_.assign(home_);
    }

    std::vector<Vec3d> positions() const { return of_all(state_.x, home_.id, comm_); }
    std::vector<Vec3d> velocities() const { return of_all(state_.v, home_.id, comm_); }
    const Box& box() const { return state_.box; }
    /// Sums over all ranks that the steps have seen.
    const std::vector<double>& seen() const { return seen_; }

  private:
    const System& system_;
    const Comm& comm_;
    AtomParameters all_, home_;
    ConstraintSet constraints_;
    Coupling coupling_;
    std::unique_ptr<Integrator> integrator_;
    State state_;
    std::vector<Vec3l> forces_;
    EnergySums sums_;
    std::vector<double> seen_;

    double degrees() const {
        std::vector<unsigned char> frozen;
        for (const double w : all_.inverse_mass) frozen.push_back(w == 0.0 ? 1 : 0);
        return static_cast<double>(degrees_of_freedom(system_.topology, ComRemoval::yes, frozen));
    }

    double evaluate() {
        forces_.clear();
        sums_ = EnergySums{};
        for (std::size_t i = 0; i < home_.size(); ++i) {
            const Vec3d d = state_.x[i] - system_.x[static_cast<std::size_t>(home_.id[i])];
            const Vec3d f = -50.0 * d;
            forces_.push_back({fixed::force(f.x), fixed::force(f.y), fixed::force(f.z)});
            sums_[Term::bond].add(25.0 * norm2(d));
            sums_.add_virial(f, d);
        }
        comm_.sum(sums_.parts());
        return sums_.potential();
    }

    void step() {
        apply_box_move(state_, home_, constraints_);
        if (coupling_.tries_volume(state_.step)) coupling_.try_volume(state_, home_, comm_, [&] { return evaluate(); });
        evaluate();
        const VelocityChange change = coupling_.velocity_change(state_, home_, comm_);
        integrator_->step(state_,
                          {home_, constraints_, forces_, change, coupling_.temperature(state_.step), Need::yes});
        const KineticEnergies kinetic = kinetic_energies(home_, integrator_->on_step(state_), comm_);
        EnergySums sums = sums_;
        sums.add(integrator_->constraint_virial(comm_));
        const Mat3d pressure = pressure_tensor(kinetic.tensor, sums.virial(), state_.box.volume(), 0.0);
        if (coupling_.needs_pressure(state_.step)) coupling_.plan_box_move(state_, pressure);
        seen_.insert(seen_.end(), {change.drift.x, change.scale, kinetic.on_step, kinetic.half_step, pressure[0].x,
                                   pressure[1].z, sums.potential(), state_.box.volume(),
                                   thermostat_work(state_.coupling, comm_), state_.coupling.barostat_work});
    }
};

}  // namespace

TEST_CASE("twenty steps have the same bits however units are dealt out to ranks") {
    const System system = protein_water_salt();
    const Comm alone;
    for (const Protocol& protocol : {Protocol{Scheme::leap_frog, Barostat::c_rescale, Frozen::none},
                                     Protocol{Scheme::langevin, Barostat::monte_carlo, Frozen::none},
                                     Protocol{Scheme::leap_frog, Barostat::monte_carlo, Frozen::some},
                                     Protocol{Scheme::langevin, Barostat::semi_isotropic, Frozen::some}}) {
        Dynamics whole(system, protocol, alone), spread(system, protocol, world());
        whole.run(20);
        spread.run(9);
        spread.deal(1);
        spread.run(20);
        const std::vector<Vec3d> x = spread.positions(), v = spread.velocities();
        INFO("scheme " << static_cast<int>(protocol.scheme) << " barostat " << static_cast<int>(protocol.barostat));
        CHECK(x == whole.positions());
        CHECK(v == whole.velocities());
        CHECK(spread.box() == whole.box());
        CHECK(spread.seen() == whole.seen());
        CHECK(!(whole.box() == system.box));
        CHECK(!(whole.positions() == system.x));
    }
}

// Without energies a trial is decided by pressure and the number of molecules that move.
TEST_CASE("all ranks take the same trial volumes, with many molecules held by a frozen atom") {
    const System system = protein_water_salt();
    AtomParameters all = all_atoms(system.topology, Frozen::none);
    for (std::size_t i = 1231; i < all.size(); i += 9) all.inverse_mass[i] = 0.0;
    const Comm alone;
    const auto tried = [&](const Comm& comm) {
        const AtomParameters home = of_home(all, dealt(system.topology, comm, 0));
        State state;
        state.box = system.box;
        state.x = of_home(system.x, home.id);
        MonteCarloBarostat barostat(system.topology, {PressureCoupling::isotropic, 30.0, 5});
        for (; state.step < 200; ++state.step) {
            barostat.begin_trial(state, home, comm);
            barostat.accept_or_reject(state, 0.0, 0.0, 300.0);
        }
        return std::pair(of_all(state.x, home.id, comm), state.box);
    };
    const auto [x, box] = tried(world());
    const auto [x_whole, box_whole] = tried(alone);
    CHECK(x == x_whole);
    CHECK(box == box_whole);
    CHECK(!(box == system.box));
}

TEST_CASE("heat that a checkpoint keeps is that of all ranks, and a continuation shares it with none") {
    CouplingState coupling{.thermostat_work = 5.0};
    coupling.heat.add(world().rank() + 1.0);
    const CouplingState kept = of_all_ranks(coupling, world());
    const CouplingState continued = of_this_rank(kept, world());
    const double before = thermostat_work(coupling, world()), after = thermostat_work(continued, world());
    const int n = world().size();
    CHECK(kept.heat.value() == 0.5 * n * (n + 1));
    CHECK(before == 5.0 - 0.5 * n * (n + 1));
    CHECK(after == before);
}

TEST_CASE("what one rank cannot constrain all ranks report, with the same words as one rank alone") {
    System system = protein_water_salt();
    const std::size_t hydrogen = static_cast<std::size_t>(system.topology.types[0].size()) + 100;
    system.x[hydrogen] = system.x[hydrogen - 1];  // a water without a plane
    const auto message = [&](const Comm& comm) {
        const AtomParameters home = of_home(all_atoms(system.topology, Frozen::none), dealt(system.topology, comm, 0));
        const ConstraintSet constraints(system.topology, home);
        State state{.box = system.box, .x = of_home(system.x, home.id), .v = std::vector<Vec3d>(home.size())};
        try {
            prepare_dynamics(state, home, constraints, comm);
        } catch (const Error& error) {
            CHECK(error.exit_code() == ExitCode::unstable);
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string words = message(world());
    CHECK(words.find("MD551") != std::string::npos);
    CHECK(words == message(Comm()));
}
