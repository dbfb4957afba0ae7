// SPDX-License-Identifier: Apache-2.0
#include "run/output/step_report.h"

#include <fmt/format.h>

#include "core/units.h"

namespace mdsim {

EnergyRow energy_row(const State& state, const EnergySums& energies, const KineticEnergies& kinetic,
                     const SystemTotals& totals) {
    EnergyRow row;
    row.time = state.time;
    row.step = state.step;
    row.potential = energies.potential();
    row.kinetic = kinetic.on_step;
    row.total = row.potential + row.kinetic;
    row.conserved = row.total + totals.thermostat_work + state.coupling.barostat_work;
    row.box = state.box.rows();
    if (state.box.periodic()) {
        row.volume = state.box.volume();
        row.density = totals.mass / row.volume * units::density_unit;
    }
    for (std::size_t t = 0; t < term_count; ++t) row.terms[t] = energies[static_cast<Term>(t)].value();
    return row;
}

std::string energy_line(const EnergyRow& row, const std::string& left) {
    return fmt::format(
        "  step {:>9}  {:>11.3f} ps  potential {:>14.2f}  total {:>14.2f}  conserved {:>14.2f} kJ/mol  {:>7.2f} K  "
        "{:>9.1f} bar  {:>8.2f} kg/m^3  {} left",
        row.step, row.time, row.potential, row.total, row.conserved, row.temperature, row.pressure, row.density, left);
}

std::string restraint_line(const EnergyRow& row) {
    std::string line = "    restraints";
    for (const RestraintValue& r : row.restraints)
        line += fmt::format("  {} {:.5g} {}, {:.4f} kJ/mol", r.name, r.value, r.unit, r.energy);
    return line;
}

}  // namespace mdsim
