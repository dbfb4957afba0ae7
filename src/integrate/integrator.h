// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/step_plan.h"
#include "core/vec3.h"
#include "integrate/constraints/constraint_set.h"
#include "observe/kinetic_energy.h"
#include "parallel/comm.h"
#include "sites/virtual_sites.h"
#include "system/energies.h"
#include "system/state.h"

namespace mdsim {

/// What coupling does to v(t - dt/2) before the kick: v -> scale * (v - drift). Frozen atoms are left out.
struct VelocityChange {
    Vec3d drift{};       ///< velocity of the centre of mass, where it is to be removed [nm/ps]
    double scale = 1.0;  ///< factor of the v-rescale thermostat
};

/// What one update pass reads. Atoms are the home atoms of this rank.
struct UpdateInput {
    const AtomParameters& atoms;
    const ConstraintSet& constraints;
    std::span<const Vec3l> forces;  ///< at x(t) [2^-32 kJ/mol/nm]; extent: atoms
    VelocityChange change;
    double temperature = 0.0;             ///< of the bath in this step [K]; the Langevin scheme alone uses it
    Need virial = Need::no;               ///< of the constraint forces
    const VirtualSites* sites = nullptr;  ///< of these atoms; null where the system has none
};

/// Advances x(t), v(t - dt/2) to x(t + dt), v(t + dt/2) in one threaded pass of kick, drift and constraints, keeping
/// x(t) and both half-step velocities for what step t owes; virtual sites follow their parents. Step and time are the
/// caller's to count. The bits depend neither on threads nor on what atoms are at home. Error (unstable, MD551), on
/// this rank alone, where constraints cannot be met.
class Integrator {
  public:
    virtual ~Integrator() = default;
    /// Returns the share of its time that went into constraints.
    virtual double step(State& state, const UpdateInput& input) = 0;
    /// After step: the step that was just left. Valid until the next one.
    virtual OnStep on_step(const State& state) const = 0;
    /// After step with virial: that of the constraint forces of all ranks at x(t) [kJ/mol], as its energies are zero.
    /// With the half-step kinetic tensor of on_step it cancels within rigid bodies: at each step or (Langevin) in the
    /// mean. Called by all ranks.
    EnergySums constraint_virial(const Comm& comm) const;

  protected:
    EnergySums virial_;  ///< of the constraint forces on this rank's atoms
};

/// Leap-frog (Hockney, Methods Comput. Phys. 9 (1970) 136): v(t + dt/2) = v(t - dt/2) + dt f/m, x(t + dt) = x(t) + dt
/// v, with SHAKE-like constraints along the bonds of x(t). Velocity Verlet is the same trajectory seen on step.
class LeapFrog final : public Integrator {
  public:
    /// `dt` [ps].
    explicit LeapFrog(double dt) : dt_(dt) {}
    double step(State& state, const UpdateInput& input) override;
    OnStep on_step(const State& state) const override { return {x_, v_, state.v}; }

  private:
    double dt_;
    std::vector<Vec3d> x_, v_;  // x(t), v(t - dt/2)
};

/// Langevin dynamics by the middle scheme (Zhang, Liu, Yan, Tuckerman & Liu, J. Phys. Chem. A 123 (2019) 6056; with
/// constraints as in Leimkuhler & Matthews, Proc. R. Soc. A 472 (2016) 20160138): kick, half drift, friction and noise
/// exactly over dt, half drift. The noise depends on seed, step and id of the atom alone. Velocities are constrained
/// after the kick and after the noise, positions after the drifts.
class Langevin final : public Integrator {
  public:
    struct Settings {
        double dt;        ///< [ps]
        double friction;  ///< [1/ps]
        std::uint64_t seed;
    };
    explicit Langevin(const Settings& settings) : settings_(settings) {}
    /// Books what friction and noise brought in in CouplingState::heat.
    double step(State& state, const UpdateInput& input) override;
    OnStep on_step(const State&) const override { return {x_, v_, kicked_}; }

  private:
    void complete_virial(const UpdateInput& input, const AtomSlice& slice, const State& state, EnergySums& virial);

    Settings settings_;
    std::vector<Vec3d> x_, v_, kicked_;  // x(t), v(t - dt/2), v(t + dt/2) before friction and noise
    std::vector<Vec3d> noisy_;           // v(t + dt/2) after friction and noise, before the reset of positions
};

/// Before the first step of a dynamics stage: velocities of frozen atoms become zero, positions are put onto the
/// constraints and velocities made to satisfy them. Called by all ranks; where that fails on one, all throw.
void prepare_dynamics(State& state, const AtomParameters& atoms, const ConstraintSet& constraints, const Comm& comm);

}  // namespace mdsim
