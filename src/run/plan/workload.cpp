// SPDX-License-Identifier: Apache-2.0
#include "run/plan/workload.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "domain/local/units.h"
#include "pairs/pair_lists.h"
#include "run/build.h"

namespace mdsim {

namespace {

void take_lists(Workload& work, double cutoff, const Box& box) {
    work.list_radius = work.farthest_move = std::numeric_limits<double>::infinity();
    if (!box.periodic()) return;
    const PairLists lists({.cutoff = cutoff}, ExclusionMap(0, {}), {});
    work.list_radius = lists.reach(box);
    work.farthest_move = lists.farthest_move(box);
}

// Lengths within a unit do not change: one molecule of each block says them all.
double unit_radius(const Setup& setup, std::span<const Vec3d> x) {
    const MoleculeUnits units(setup.topology);
    const MoleculeIndex index(setup.topology);
    double radius = 0.0;
    std::int64_t block_first = 0;
    for (const MoleculeBlock& block : setup.topology.blocks) {
        const int size = setup.topology.types[static_cast<std::size_t>(block.type)].size();
        for (std::int64_t id = block_first; id < block_first + size; ++id) {
            const AtomPlace place = index.place(id);
            const auto first = static_cast<std::size_t>(place.first_atom + units.first_of_unit(place));
            radius = std::max(radius, norm(x[static_cast<std::size_t>(id)] - x[first]));
        }
        block_first += block.count * size;
    }
    return radius;
}

Box box_round(std::span<const Vec3d> x) {
    Vec3d low = x.front(), high = x.front();
    for (const Vec3d& r : x) {
        for (int a = 0; a < 3; ++a) {
            low[a] = std::min(low[a], r[a]);
            high[a] = std::max(high[a], r[a]);
        }
    }
    constexpr double atom = 0.3;  // an atom takes room beyond its centre [nm]
    return Box::rectangular(high.x - low.x + atom, high.y - low.y + atom, high.z - low.z + atom);
}

double sums_per_step(const StageInput& stage) {
    double sums = 0.0;
    const auto add = [&](const Cadence& every) {
        if (!every.never()) sums += 1.0 / static_cast<double>(every.in_steps(stage.timestep));
    };
    add(stage.output.energies);
    add(stage.output.log);
    if (stage.thermostat == ThermostatChoice::v_rescale) sums += 1.0 / stage.coupling_every;
    if (stage.barostat != BarostatChoice::none) sums += 1.0 / stage.coupling_every;
    return sums;
}

}  // namespace

Workload make_workload(const Setup& setup, const StageInput& stage, std::span<const Vec3d> x) {
    const ChosenForces chosen = choose_forces(setup);
    Workload work;
    work.atoms = setup.topology.atoms();
    work.cell = setup.start.box.periodic() ? setup.start.box : box_round(x);
    take_lists(work, chosen.nonbonded.cutoff, setup.start.box);
    work.unit_radius = unit_radius(setup, x);
    if (chosen.mesh) {
        const bool mixed = setup.input.hardware.precision == PrecisionChoice::mixed;
        work.mesh = MeshWork{chosen.mesh->points, chosen.mesh->order, mixed ? 4 : 8};
    }
    work.grid = setup.input.debug.ranks_grid;
    work.mesh_ranks = setup.input.hardware.mesh_ranks;
    work.timestep = stage.timestep;
    work.sums_per_step = sums_per_step(stage);
    return work;
}

}  // namespace mdsim
