// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "io/input/input.h"
#include "io/topology/topology_file.h"
#include "parallel/comm.h"
#include "run/continuing/system_identity.h"
#include "run/hardware/hardware_choice.h"
#include "system/lattice.h"
#include "system/nonbonded.h"
#include "system/state.h"
#include "system/topology.h"

namespace mdsim {

/// The log lists so many kinds of molecules and counts the rest.
inline constexpr std::size_t most_kinds_listed = 20;

/// Everything that is read and prepared before the first stage; the same for a fresh start and a continuation.
struct Setup {
    Input input;
    const Comm* ranks = nullptr;  ///< that compute it together; null: this process alone
    Topology topology;            ///< with constraints chosen and masses repartitioned
    State start;        ///< as the files give it, molecules whole; on the leading rank, elsewhere without atoms
    VacuumCell vacuum;  ///< around the start
    bool has_velocities = false;
    std::vector<std::string> notes;  ///< lines for the log
    HardwareChoice hardware;         ///< as open_setup chooses it; the CPU otherwise
    SystemIdentity identity;         ///< of topology and coordinates as they were read
};

/// What the input says of how the topology is read.
TopologyOptions topology_options(const SystemInput& system);

/// Reads topology and coordinates, checks one against the other, chooses the Coulomb constant, constraints, masses and
/// box. Errors: input errors with all that is known about the place.
Setup read_setup(Input input);

/// The state to start from, out of the setup, which keeps only positions, and these where restraints may refer to them.
State take_start(Setup& setup);

/// Adds the files that restraints refer to; a run needs them in its checkpoints, other commands do not.
void identify_reference_files(Setup& setup);

/// Whether velocities are drawn: where the input asks for it, or the coordinates have none and it says nothing.
bool generates_velocities(const Setup& setup);

/// What the first stage of dynamics starts with. Input errors where the coordinates have no velocities that it could
/// take (MD407), or where it has no temperature to draw them for (MD408).
enum class StartVelocities { of_file, generated };
StartVelocities start_velocities(const Setup& setup, const StageInput& stage);

}  // namespace mdsim
