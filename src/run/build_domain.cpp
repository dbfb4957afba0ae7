// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include <fmt/format.h>

#include "core/error.h"
#include "forces/reference/ewald.h"
#include "run/build.h"

namespace mdsim {

namespace {

// Of the pair list, with what atoms and groups add; for choosing the grid only.
constexpr double usual_skin = 0.6;

Balance balance_of(BalanceChoice choice) {
    switch (choice) {
        case BalanceChoice::off:
            return Balance::off;
        case BalanceChoice::forced:
            return Balance::forced;
        case BalanceChoice::measured:
            break;
    }
    return Balance::measured;
}

void require_possible_grid(const Setup& setup, const RankGrid& grid, int ranks) {
    const auto [x, y, z] = grid;
    if (regions_of(grid) <= ranks) return;
    throw_input_error(
        {.code = "MD414",
         .place = {setup.input.file.string()},
         .what = fmt::format("debug.ranks_grid = [{}, {}, {}] has {} regions, and there are {} ranks for them", x, y, z,
                             regions_of(grid), ranks),
         .remedy = "start as many ranks (mpirun -n), or leave the key out: mdsim chooses a grid"});
}

}  // namespace

const Comm& ranks_of(const Setup& setup) {
    static const Comm alone;
    return setup.ranks != nullptr ? *setup.ranks : alone;
}

std::vector<int> ranks_with_mesh(const Domain& domain) {
    const int ranks = domain.comm().size(), separate = domain.mesh_ranks();
    std::vector<int> with(static_cast<std::size_t>(separate > 0 ? separate : ranks));
    std::iota(with.begin(), with.end(), separate > 0 ? ranks - separate : 0);
    return with;
}

int separate_mesh_ranks(const Setup& setup) {
    if (!has_mesh(setup.input.forces.electrostatics)) return 0;
    return std::min(setup.input.hardware.mesh_ranks.value_or(0), ranks_of(setup).size() - 1);
}

std::unique_ptr<Domain> make_domain(const Setup& setup, int mesh_ranks) {
    const DebugInput& debug = setup.input.debug;
    const int asked = setup.input.hardware.mesh_ranks.value_or(0), ranks = ranks_of(setup).size();
    DomainSettings settings{.grid = debug.ranks_grid,
                            .why_grid = {},
                            .mesh_ranks = mesh_ranks,
                            .why_mesh_ranks = {},
                            .reach = setup.input.forces.cutoff + usual_skin,
                            .balance = balance_of(debug.balance)};
    settings.why_grid = "debug.ranks_grid has so many regions";
    const ChosenForces chosen = choose_forces(setup);
    if (chosen.mesh && asked >= ranks) {
        settings.why_mesh_ranks = fmt::format(
            "hardware.mesh_ranks = {}: {} of {} ranks can be for the mesh alone, since one at least must have atoms",
            asked, ranks - 1, ranks);
    }
    // Devices send charges straight to where they are transformed, whatever the grid.
    if (chosen.mesh && settings.mesh_ranks == 0 && !setup.hardware.device) {
        const auto [x, y, z] = chosen.mesh->points;
        settings.mesh_nodes = static_cast<double>(x) * y * z;
    }
    if (needs_one_rank(chosen.nonbonded)) {
        settings.grid = RankGrid{1, 1, 1};
        settings.why_grid = "the plain Ewald sum is computed by one rank (electrostatics = \"pme\" by all)";
    }
    if (settings.grid) require_possible_grid(setup, *settings.grid, ranks_of(setup).size() - settings.mesh_ranks);
    auto domain = std::make_unique<Domain>(ranks_of(setup), setup.topology, settings);
    domain->set_vacuum(setup.vacuum);
    return domain;
}

}  // namespace mdsim
