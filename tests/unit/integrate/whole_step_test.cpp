// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "integrate/barostats/c_rescale.h"
#include "integrate/barostats/monte_carlo.h"
#include "integrate/integrator.h"
#include "integrate/systems.h"
#include "integrate/thermostat.h"
#include "integrate/velocities.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

enum class Barostat { c_rescale, monte_carlo };

// Waters and methyl groups on springs whose ends scale with the box, with every kind of coupling every fifth step.
// Everything but the state is made anew by the constructor, as a continuation does.
class Dynamics {
  public:
    Dynamics(const Topology& topology, Barostat barostat, bool langevin)
        : atoms_(parameters(topology)),
          constraints_(topology, atoms_),
          degrees_(static_cast<double>(degrees_of_freedom(topology, ComRemoval::yes, {}))),
          thermostat_({0.1, every * dt, degrees_, 91}),
          c_rescale_({PressureCoupling::isotropic, 500.0, 1.0, every * dt, 1e-4, 92}),
          monte_carlo_(topology, {PressureCoupling::isotropic, 500.0, 93}),
          barostat_(barostat),
          langevin_(langevin) {
        if (langevin) {
            integrator_ = std::make_unique<Langevin>(Langevin::Settings{dt, 2.0, 94});
        } else {
            integrator_ = std::make_unique<LeapFrog>(dt);
        }
    }

    void start(State& state) const {
        generate_velocities(state, atoms_, constraints_, {300.0, degrees_, 95, ComRemoval::yes}, alone());
        prepare_dynamics(state, atoms_, constraints_, alone());
    }

    void step(State& state) {
        const bool couple = state.step % every == 0;
        apply_box_move(state, atoms_, constraints_);
        if (couple && barostat_ == Barostat::monte_carlo) {
            const double before = evaluate(state);
            monte_carlo_.begin_trial(state, atoms_, alone());
            const double after = evaluate(state);
            monte_carlo_.accept_or_reject(state, before, after, 300.0);
        }
        evaluate(state);
        VelocityChange change;
        if (state.step % 7 == 0) change.drift = centre_of_mass_velocity(atoms_, state.v, alone());
        if (couple && !langevin_) {
            const double kinetic = kinetic_energy(atoms_, state.v, alone(), change.drift);
            change.scale = thermostat_.scale(state, kinetic, 300.0);
        }
        integrator_->step(state, {atoms_, constraints_, forces_, change, 300.0, couple ? Need::yes : Need::no});
        if (couple && barostat_ == Barostat::c_rescale) {
            const KineticEnergies kinetic = kinetic_energies(atoms_, integrator_->on_step(state), alone());
            EnergySums sums = virial_;
            sums.add(integrator_->constraint_virial(alone()));
            c_rescale_.couple(state, pressure_tensor(kinetic.tensor, sums.virial(), state.box.volume(), 0.0), 300.0);
        }
        ++state.step;
        state.time = dt * static_cast<double>(state.step);
    }

  private:
    static constexpr double dt = 0.002;
    static constexpr int every = 5;
    AtomParameters atoms_;
    ConstraintSet constraints_;
    double degrees_;
    VRescale thermostat_;
    CRescale c_rescale_;
    MonteCarloBarostat monte_carlo_;
    Barostat barostat_;
    bool langevin_;
    std::unique_ptr<Integrator> integrator_;
    std::vector<Vec3l> forces_;
    EnergySums virial_;

    // Neighbours in the list attract each other like springs without length.
    double evaluate(const State& state) {
        forces_.assign(state.x.size(), {});
        virial_ = EnergySums{};
        fixed::EnergySum energy;
        for (std::size_t i = 0; i + 9 < state.x.size(); ++i) {
            const Vec3d d = state.x[i] - state.x[i + 9];
            const Vec3l f = fixed_force(-50.0 * d);
            forces_[i] += f;
            forces_[i + 9] -= f;
            energy.add(25.0 * norm2(d));
            virial_.add_virial(-50.0 * d, d);
        }
        return energy.value();
    }
};

Topology mixture() {
    MoleculeType group = ethyl();
    for (int h = 1; h <= 3; ++h) group.constraints.push_back({0, h, 0.109});
    return topology({rigid_water(), group}, {400, 100});
}

State start_of(const Dynamics& dynamics) {
    State state;
    state.box = Box::rectangular(6, 6, 6);
    state.x = water_positions(400, 96);
    for (int i = 0; i < 100; ++i) append_ethyl(state.x, {0.02 * i, 2.5, 2.0});
    dynamics.start(state);
    return state;
}

}  // namespace

TEST_CASE("whole steps have the same bits for any thread count and continued at any step") {
    const Topology t = mixture();
    for (const auto barostat : {Barostat::c_rescale, Barostat::monte_carlo}) {
        for (const bool langevin : {false, true}) {
            State whole;
            for (int threads = 1; threads <= 4; ++threads) {
                const Threads with(threads);
                Dynamics dynamics(t, barostat, langevin);
                State state = start_of(dynamics);
                while (state.step < 24) dynamics.step(state);
                if (threads == 1) whole = state;
                CHECK(state.x == whole.x);
                CHECK(state.v == whole.v);
                CHECK(state.box == whole.box);
                CHECK(thermostat_work(state.coupling, alone()) == thermostat_work(whole.coupling, alone()));
                CHECK(state.coupling.barostat_work == whole.coupling.barostat_work);
            }
            const Threads with(2);
            State state = start_of(Dynamics(t, barostat, langevin));
            while (state.step < 24) {  // made anew for every step
                Dynamics dynamics(t, barostat, langevin);
                dynamics.step(state);
            }
            CHECK(state.x == whole.x);
            CHECK(state.v == whole.v);
            CHECK(state.box == whole.box);
            CHECK(state.coupling.pending_box_move == whole.coupling.pending_box_move);
            CHECK(!(state.box == Box::rectangular(6, 6, 6)));
            CHECK(norm(state.x[0] - state.x[1]) == Approx(0.09572).epsilon(1e-12));
        }
    }
}
