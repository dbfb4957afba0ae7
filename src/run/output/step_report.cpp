// SPDX-License-Identifier: Apache-2.0
#include "run/output/step_report.h"

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

}  // namespace mdsim
