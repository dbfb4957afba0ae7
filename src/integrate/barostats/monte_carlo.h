// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/vec3.h"
#include "integrate/barostats/box_move.h"
#include "parallel/comm.h"
#include "system/box.h"
#include "system/molecules/molecule_index.h"
#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

enum class Trial { accepted, rejected };

/// Monte Carlo barostat: Chow & Ferguson, Comput. Phys. Commun. 91 (1995) 283; Aqvist et al., Chem. Phys. Lett. 384
/// (2004) 288. Trial volumes are uniform about the present one; whole molecules move with their centre of mass, which
/// is summed in fixed point, over ranks where several have a part of the molecule; velocities stay. Semi-isotropic:
/// area or height, drawn each time. The loop drives it, on all ranks:
///     evaluate energies at x; begin_trial; evaluate again; accept_or_reject.
/// Either way the pair list must be told that positions jumped. After a rejection x and box have their old bits.
class MonteCarloBarostat {
  public:
    struct Settings {
        PressureCoupling coupling;
        double pressure;  ///< [bar]
        std::uint64_t seed;
    };
    /// The topology must outlive it.
    MonteCarloBarostat(const Topology& topology, const Settings& settings);

    /// Saves x and box, then changes both. Molecules with a frozen atom stay. `home`: the atoms of the state.
    void begin_trial(State& state, const AtomParameters& home, const Comm& comm);
    /// Decides by exp(-(dU + P dV - N kT ln(V'/V))/kT), N the molecules that move; restores the saved bits on
    /// rejection, books the change of energy in barostat_work otherwise. Every 20 trials the size of trials is adapted
    /// towards 50 % acceptance. Energies [kJ/mol] are potential energies with all terms; one that is not finite is
    /// rejected.
    Trial accept_or_reject(State& state, double energy_before, double energy_after, double temperature);

  private:
    Settings settings_;
    MoleculeIndex index_;
    std::int64_t molecules_;   // of the system
    std::int64_t moving_ = 0;  // of them, in the trial that was begun
    std::vector<Vec3d> saved_x_;
    Box saved_box_;

    Vec3d draw_factors(State& state) const;
    std::int64_t scale_molecules(State& state, const AtomParameters& home, const Vec3d& m, const Comm& comm) const;
    static void adapt(State& state);
};

}  // namespace mdsim
