// SPDX-License-Identifier: Apache-2.0
#include "integrate/dealt_system.h"

#include <algorithm>
#include <filesystem>
#include <random>

#include "domain/local/local_terms.h"
#include "domain/local/units.h"
#include "io/structure/gro.h"
#include "io/topology/gromacs.h"
#include "system/preparation/constraint_choice.h"
#include "system/preparation/whole.h"

namespace mdsim::test {

namespace {
constexpr std::int64_t rigid_waters = 300, flexible_waters = 100;
}

System protein_water_salt() {
    const std::filesystem::path folder = std::filesystem::path(MDSIM_SOURCE_DIR) / "inputs" / "ubiquitin";
    System system{read_gromacs_topology(folder / "ubiquitin.top", {}), {}, {}};
    Structure structure = read_gro(folder / "ubiquitin.gro");
    Topology& topology = system.topology;
    choose_constraints(topology, ConstraintChoice::hydrogen_bonds);
    make_whole(topology, structure.box, structure.x, folder / "ubiquitin.gro");
    system.box = structure.box;
    // Protein, water, sodium, chloride; of the water the first 400 molecules are kept.
    const std::int64_t protein = topology.types[0].size();
    const auto at = [&](std::int64_t i) { return structure.x.begin() + static_cast<std::ptrdiff_t>(i); };
    system.x.assign(at(0), at(protein + 3 * (rigid_waters + flexible_waters)));
    system.x.insert(system.x.end(), at(protein + 3 * topology.blocks[1].count), structure.x.end());
    MoleculeType flexible = topology.types[static_cast<std::size_t>(topology.blocks[1].type)];
    flexible.settles.clear();
    topology.types.push_back(flexible);
    topology.blocks[1].count = rigid_waters;
    topology.blocks.insert(topology.blocks.begin() + 2, {static_cast<int>(topology.types.size()) - 1, flexible_waters});
    return system;
}

AtomParameters all_atoms(const Topology& topology, Frozen frozen) {
    AtomParameters all = make_atom_parameters(topology);
    if (frozen == Frozen::some) {
        const std::size_t rigid = static_cast<std::size_t>(topology.types[0].size()),
                          flexible = rigid + 3 * rigid_waters;
        for (const std::size_t i : {rigid + 30, flexible + 151, all.size() - 5}) all.inverse_mass[i] = 0.0;
    }
    return all;
}

std::vector<std::int64_t> dealt(const Topology& topology, const Comm& comm, unsigned deal) {
    const MoleculeIndex index(topology);
    const MoleculeUnits units(topology);
    const int players = std::max(1, comm.size() - (comm.size() > 2 ? 1 : 0));
    std::vector<std::int64_t> ids;
    for (std::int64_t id = 0; id < topology.atoms(); ++id) {
        const AtomPlace place = index.place(id);
        std::mt19937 random(deal + 1000 * static_cast<unsigned>(place.first_atom + units.first_of_unit(place)));
        if (static_cast<int>(random() % static_cast<unsigned>(players)) == comm.rank()) ids.push_back(id);
    }
    return ids;
}

AtomParameters of_home(const AtomParameters& all, const std::vector<std::int64_t>& ids) {
    return {.id = ids,
            .mass = of_home(all.mass, ids),
            .inverse_mass = of_home(all.inverse_mass, ids),
            .charge = of_home(all.charge, ids),
            .type = of_home(all.type, ids)};
}

std::vector<Vec3d> of_all(const std::vector<Vec3d>& home, const std::vector<std::int64_t>& ids, const Comm& comm) {
    std::vector<Vec3d> all;
    const auto with_ids = comm.gather_to_all(as_bytes_of(ids));
    const auto with_values = comm.gather_to_all(as_bytes_of(home));
    for (std::size_t rank = 0; rank < with_ids.size(); ++rank) {
        const auto of_rank = values_of<std::int64_t>(with_ids[rank]);
        const auto values = values_of<Vec3d>(with_values[rank]);
        for (std::size_t i = 0; i < of_rank.size(); ++i) {
            const auto atom = static_cast<std::size_t>(of_rank[i]);
            if (all.size() <= atom) all.resize(atom + 1);
            all[atom] = values[i];
        }
    }
    return all;
}

}  // namespace mdsim::test
