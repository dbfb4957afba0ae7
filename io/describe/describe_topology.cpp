// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "io/describe/kinds.h"
#include "io/topology/charmm/psf_reader.h"
#include "io/topology/topology_file.h"

namespace mdsim {

namespace {

using nlohmann::json;

constexpr std::size_t most_listed = 50;  // types of molecules; a system without repetition has thousands

json interactions(const Topology& topology) {
    json counts = json::object();
    const auto add = [&](const char* name, std::int64_t count) {
        if (count > 0) counts[name] = counts.value(name, std::int64_t{0}) + count;
    };
    for (const MoleculeBlock& block : topology.blocks) {
        const MoleculeType& m = topology.types[static_cast<std::size_t>(block.type)];
        const auto times = [&](const auto& list) { return block.count * static_cast<std::int64_t>(list.size()); };
        add("bonds", times(m.bonds));
        add("angles", times(m.angles));
        add("urey_bradleys", times(m.urey_bradleys));
        add("proper_dihedrals", times(m.proper_dihedrals));
        add("improper_dihedrals", times(m.improper_dihedrals));
        add("harmonic_impropers", times(m.harmonic_impropers));
        add("ryckaert_bellemans", times(m.ryckaert_bellemans));
        add("cmaps", times(m.cmaps));
        add("pairs14", times(m.pairs14));
        add("plain_pairs", times(m.plain_pairs));
        add("two_atom_terms", times(m.two_atom_terms));
        add("three_atom_terms", times(m.three_atom_terms));
        add("four_atom_terms", times(m.four_atom_terms));
        add("exclusions", times(m.exclusions));
        add("constraints", times(m.constraints));
        add("settles", times(m.settles));
        add("virtual_sites", times(m.virtual_sites));
        add("position_restraints", times(m.position_restraints));
        add("flat_position_restraints", times(m.flat_position_restraints));
    }
    return counts;
}

json molecule_types(const Topology& topology) {
    std::vector<std::int64_t> count(topology.types.size(), 0);
    for (const MoleculeBlock& block : topology.blocks) count[static_cast<std::size_t>(block.type)] += block.count;
    json list = json::array();
    for (std::size_t t = 0; t < topology.types.size() && t < most_listed; ++t) {
        const MoleculeType& type = topology.types[t];
        list.push_back(
            {{"name", type.name}, {"count", count[t]}, {"atoms", type.size()}, {"residues", type.residues.size()}});
    }
    return list;
}

}  // namespace

json box_to_json(const Box& box) {
    json rows = json::array();
    for (const Vec3d& row : box.rows()) rows.push_back({row.x, row.y, row.z});
    return rows;
}

bool is_topology(const FileHead& head) {
    return topology_format(head.file).has_value();
}

namespace {

json describe_psf(const FileHead& head) {
    const PsfFile psf = read_psf(head.file);
    const Topology& topology = psf.topology;
    json facts{{"format", "psf"},
               {"title", topology.title},
               {"atoms", topology.atoms()},
               {"residues", topology.residues()},
               {"molecules", topology.molecules()},
               {"charge", topology.charge()},
               {"mass", topology.mass()},
               {"molecule_type_count", topology.types.size()},
               {"molecule_types", molecule_types(topology)},
               {"interactions",
                {{"bonds", psf.bonds},
                 {"angles", psf.angles},
                 {"dihedrals", psf.dihedrals},
                 {"impropers", psf.impropers},
                 {"cross_terms", psf.cross_terms}}}};
    if (psf.drude_particles > 0) facts["drude_particles"] = psf.drude_particles;
    if (psf.lone_pairs > 0) facts["lone_pairs"] = psf.lone_pairs;
    return facts;
}

}  // namespace

json describe_topology(const FileHead& head) {
    if (topology_format(head.file) == TopologyFormat::charmm) return describe_psf(head);
    const bool amber = topology_format(head.file) == TopologyFormat::amber;
    const Topology topology = read_topology(head.file, {});
    json facts{{"format", amber ? "amber-prmtop" : "gromacs-top"},
               {"title", topology.title},
               {"atoms", topology.atoms()},
               {"residues", topology.residues()},
               {"molecules", topology.molecules()},
               {"charge", topology.charge()},
               {"mass", topology.mass()},
               {"atom_types", topology.force_field.types()},
               {"molecule_type_count", topology.types.size()},
               {"molecule_types", molecule_types(topology)},
               {"interactions", interactions(topology)}};
    if (topology.file_box.periodic()) facts["box"] = box_to_json(topology.file_box);
    return facts;
}

}  // namespace mdsim
