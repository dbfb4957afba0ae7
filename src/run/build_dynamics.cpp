// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "run/build.h"

namespace mdsim {

namespace {

std::unique_ptr<Integrator> build_integrator(const Setup& setup, const StageInput& stage) {
    if (stage.integrator == IntegratorChoice::langevin) {
        return std::make_unique<Langevin>(Langevin::Settings{stage.timestep, stage.friction, setup.input.system.seed});
    }
    return std::make_unique<LeapFrog>(stage.timestep);
}

PressureCoupling coupling_of(const StageInput& stage) {
    return stage.coupling == CouplingChoice::semi_isotropic ? PressureCoupling::semi_isotropic
                                                            : PressureCoupling::isotropic;
}

Coupling build_coupling(const Setup& setup, const StageInput& stage, double degrees, std::int64_t first_step) {
    const double interval = stage.coupling_every * stage.timestep;
    const std::uint64_t seed = setup.input.system.seed;
    Coupling::Settings settings;
    settings.every = stage.coupling_every;
    settings.remove_com_every = remove_com_every(setup, stage);
    settings.temperature = {stage.temperature_from.value_or(0.0), stage.temperature_to.value_or(0.0), first_step,
                            first_step + stage.steps};
    if (stage.thermostat == ThermostatChoice::v_rescale) {
        settings.v_rescale.emplace(VRescale::Settings{stage.thermostat_time, interval, degrees, seed});
    }
    if (stage.barostat == BarostatChoice::c_rescale) {
        settings.c_rescale.emplace(CRescale::Settings{coupling_of(stage), stage.pressure, stage.barostat_time, interval,
                                                      stage.compressibility, seed});
    } else if (stage.barostat == BarostatChoice::monte_carlo) {
        settings.monte_carlo.emplace(setup.topology,
                                     MonteCarloBarostat::Settings{coupling_of(stage), stage.pressure, seed});
    }
    return Coupling(std::move(settings));
}

}  // namespace

std::int64_t atoms_held_by_topology(const Topology& topology) {
    const auto holds = [](const PositionRestraint& r) { return r.kx != 0.0 || r.ky != 0.0 || r.kz != 0.0; };
    std::int64_t held = 0;
    for (const MoleculeBlock& block : topology.blocks) {
        const MoleculeType& type = topology.types[static_cast<std::size_t>(block.type)];
        std::vector<int> atoms;
        for (const PositionRestraint& r : type.position_restraints) {
            if (holds(r)) atoms.push_back(r.i);
        }
        for (const FlatPositionRestraint& r : type.flat_position_restraints) {
            if (r.force_constant != 0.0) atoms.push_back(r.i);
        }
        std::sort(atoms.begin(), atoms.end());
        held += block.count * (std::unique(atoms.begin(), atoms.end()) - atoms.begin());
    }
    return held;
}

std::int64_t remove_com_every(const Setup& setup, const StageInput& stage) {
    if (stage.remove_com.never()) return 0;
    if (!stage.remove_com.given && atoms_held_by_topology(setup.topology) > 0) return 0;
    return stage.remove_com.in_steps(stage.timestep);
}

ComRemoval com_removal(const Setup& setup, const StageInput& stage) {
    return remove_com_every(setup, stage) == 0 ? ComRemoval::no : ComRemoval::yes;
}

double stage_degrees_of_freedom(const Setup& setup, const StageInput& stage, const StageAtoms& atoms) {
    const std::vector<unsigned char> frozen(atoms.frozen().begin(), atoms.frozen().end());
    return static_cast<double>(degrees_of_freedom(setup.topology, com_removal(setup, stage), frozen));
}

DynamicsParts build_dynamics(const Setup& setup, const StageInput& stage, const RestraintReferences& references,
                             Domain& domain, const StageStart& start) {
    StageAtoms atoms(setup, stage);
    const double degrees = stage_degrees_of_freedom(setup, stage, atoms);
    DynamicsParts parts{.domain = &domain,
                        .watchdog = Watchdog(setup.topology),
                        .coupling = build_coupling(setup, stage, degrees, start.step)};
    parts.forces = build_forces(setup, &stage, references, domain, setup.input.hardware.precision);
    parts.atoms = atoms.of(domain);
    parts.atoms_of = [atoms = std::move(atoms)](const Domain& now) { return atoms.of(now); };
    parts.constraints = std::make_unique<ConstraintSet>(setup.topology, parts.atoms);
    parts.integrator = build_integrator(setup, stage);
    parts.dt = stage.timestep;
    parts.degrees = degrees;
    parts.total_mass = setup.topology.mass();
    parts.temperature_of =
        stage.integrator == IntegratorChoice::velocity_verlet ? TemperatureOf::on_step : TemperatureOf::half_steps;
    parts.stage = stage.name;
    parts.start = start;
    return parts;
}

}  // namespace mdsim
