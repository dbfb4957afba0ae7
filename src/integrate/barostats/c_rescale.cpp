// SPDX-License-Identifier: Apache-2.0
#include "integrate/barostats/c_rescale.h"

#include <cmath>

#include "core/error.h"
#include "core/philox.h"
#include "core/units.h"
#include "observe/kinetic_energy.h"

namespace mdsim {

void CRescale::couple(State& state, const Mat3d& pressure, double temperature) const {
    MDSIM_EXPECT(state.box.periodic());
    const double volume = state.box.volume();
    RandomStream random(settings_.seed, RandomPurpose::c_rescale, static_cast<std::uint64_t>(state.step));
    // Of the volume's logarithm: mean change per bar of excess pressure, and variance.
    const double mobility = settings_.compressibility * settings_.interval / settings_.time;  // [1/bar]
    const double variance = 2.0 * units::boltzmann * temperature * mobility * units::bar_per_pressure_unit / volume;
    Vec3d strain;  // logarithms of the factors of the box lengths
    if (settings_.coupling == PressureCoupling::isotropic) {
        const double change =
            mobility * (mean_pressure(pressure) - settings_.pressure) + std::sqrt(variance) * random.normal();
        strain = {change / 3.0, change / 3.0, change / 3.0};
    } else {
        const double lateral = 0.5 * (pressure[0].x + pressure[1].y) - settings_.pressure;
        const double area = 2.0 / 3.0 * mobility * lateral + std::sqrt(2.0 / 3.0 * variance) * random.normal();
        const double height =
            mobility / 3.0 * (pressure[2].z - settings_.pressure) + std::sqrt(variance / 3.0) * random.normal();
        strain = {0.5 * area, 0.5 * area, height};
    }
    const double work = pressure[0].x * strain.x + pressure[1].y * strain.y + pressure[2].z * strain.z;
    state.coupling.barostat_work += volume / units::bar_per_pressure_unit * work;
    state.coupling.pending_box_move = {Vec3d{std::exp(strain.x), 0, 0}, Vec3d{0, std::exp(strain.y), 0},
                                       Vec3d{0, 0, std::exp(strain.z)}};
}

}  // namespace mdsim
