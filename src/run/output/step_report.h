// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/vec3.h"
#include "io/tables/energies_csv.h"
#include "observe/kinetic_energy.h"
#include "system/box.h"
#include "system/energies.h"
#include "system/state.h"

namespace mdsim {

/// What a step may owe to the outputs.
/// row: energies for a frame that keeps them.
enum class Due : unsigned { nothing = 0, energies = 1, log = 2, trajectory = 4, row = 8 };
constexpr Due operator|(Due a, Due b) {
    return static_cast<Due>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Due set, Due what) {
    return (static_cast<unsigned>(set) & static_cast<unsigned>(what)) != 0;
}

/// One finished step, as the outputs see it. Spans are valid during the call.
struct StepReport {
    EnergyRow row;  ///< time and step always; energies where energies, log or row are due
    Box box;
    OnStep on_step;                 ///< positions and both half-step velocities
    std::span<const Vec3l> forces;  ///< [2^-32 kJ/mol/nm]
    /// Global numbers of the home atoms, of which on_step and forces are; empty on one rank, which has all, in order.
    std::span<const std::int64_t> ids;
};

/// Of the atoms of all ranks.
struct SystemTotals {
    double mass;             ///< [u]
    double thermostat_work;  ///< energy that thermostats took out so far [kJ/mol]
};
/// The row of one state but for temperature and pressure, which stay 0. Energies are those of all ranks.
EnergyRow energy_row(const State& state, const EnergySums& energies, const KineticEnergies& kinetic,
                     const SystemTotals& totals);

/// Lines of the log for a row, the second one where the stage has restraints. left: what remains of the stage.
std::string energy_line(const EnergyRow& row, const std::string& left);
std::string restraint_line(const EnergyRow& row);

}  // namespace mdsim
