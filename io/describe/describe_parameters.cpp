// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "io/describe/kinds.h"
#include "io/topology/charmm/parameter_reader.h"

namespace mdsim {

using nlohmann::json;

bool is_charmm_parameters(const FileHead& head) {
    static constexpr std::array endings{".prm", ".par", ".rtf", ".str"};
    return std::find(endings.begin(), endings.end(), head.ending) != endings.end();
}

json describe_charmm_parameters(const FileHead& head) {
    const charmm::Parameters p = charmm::read_parameters({head.file});
    const auto urey_bradleys = std::count_if(p.angles.begin(), p.angles.end(), [](const auto& angle) {
        return angle.second.value.urey_bradley_k != 0.0 || angle.second.value.urey_bradley_r0 != 0.0;
    });
    const auto periodic = std::count_if(p.impropers.begin(), p.impropers.end(),
                                        [](const auto& improper) { return improper.second.value.n != 0; });
    std::size_t terms = 0;
    for (const auto& [types, entry] : p.dihedrals) terms += entry.value.size();
    json facts{{"format", "charmm-parameters"},
               {"atom_types", p.types.size()},
               {"bond_types", p.bonds.size()},
               {"angle_types", p.angles.size()},
               {"ub_types", urey_bradleys},
               {"dihedral_entries", p.dihedrals.size()},
               {"dihedral_terms", terms},
               {"improper_types", static_cast<std::ptrdiff_t>(p.impropers.size()) - periodic},
               {"improper_periodic_types", periodic},
               {"cmap_types", p.cmaps.size()},
               {"lennard_jones_types", p.lj.size()},
               {"nbfix_types", p.lj_pairs.size()},
               {"coulomb_14_factor", p.coulomb14},
               {"residues", p.residues},
               {"patches", p.patches}};
    if (p.box) facts["box"] = box_to_json(*p.box);
    if (!p.notes.empty()) facts["notes"] = p.notes;
    return facts;
}

}  // namespace mdsim
