// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/fixed_point.h"
#include "core/vec3.h"
#include "system/box.h"

namespace mdsim {

/// What coupling carries from step to step; part of every checkpoint.
struct CouplingState {
    double thermostat_work = 0.0;  ///< energy that velocity rescaling took out so far [kJ/mol]
    double barostat_work = 0.0;    ///< the same for barostats [kJ/mol]
    /// Kinetic energy that friction and noise brought into the atoms of this rank so far: the one thing here that is
    /// not the same on all ranks, and means something only when summed over them (`thermostat_work`,
    /// integrate/thermostat.h).
    fixed::EnergySum heat;
    Mat3d pending_box_move{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};  ///< due before the next evaluation
    double volume_step = 0.0;  ///< Monte Carlo barostat: size of a trial [nm^3]
    std::int64_t trials = 0;   ///< Monte Carlo barostat, since the size was last adapted
    std::int64_t accepted = 0;
};

/// Everything that a step starts from, and nothing else: no force is carried from step to step.
struct State {
    std::int64_t step = 0;  ///< global over all stages
    double time = 0.0;      ///< [ps]
    Box box;
    /// x(t) [nm], molecules whole at the start, never wrapped; extent: atoms. Whoever moves atoms puts virtual sites
    /// where their parents have them (sites/virtual_sites.h).
    std::vector<Vec3d> x;
    std::vector<Vec3d> v;  ///< v(t - dt/2) [nm/ps]; extent: atoms
    /// Places that position restraints hold atoms to [nm]: of each restraint of the stage, then those of the topology
    /// where it has any; not a number where an atom is free. Extent of each: atoms.
    std::vector<std::vector<Vec3d>> references;
    CouplingState coupling;
};

/// Per-atom parameters that do not change in a run; extent of each: atoms, of a rank its home atoms by ascending id.
struct AtomParameters {
    std::vector<std::int64_t> id;      ///< global number, from 0; random numbers are keyed by it
    std::vector<double> mass;          ///< [u]; 0 for virtual sites
    std::vector<double> inverse_mass;  ///< [1/u]; 0 for frozen atoms and virtual sites
    std::vector<double> charge;        ///< [e]
    std::vector<int> type;             ///< into ForceField

    std::size_t size() const { return mass.size(); }
    /// Held where it is, as opposed to a site, which goes where its parents go.
    bool frozen(std::size_t i) const { return inverse_mass[i] == 0.0 && mass[i] != 0.0; }
};

}  // namespace mdsim
