// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber/terms.h"

namespace mdsim::amber {

namespace {

struct Extent {
    const char* section;
    std::int64_t count;
};

}  // namespace

// Extents: "Amber file formats", and ParmEd's names of the sections that it adds. RESIDUE_CHAINID and RESIDUE_ICODE may
// be blank throughout, of which some editors leave nothing.
void check_unused_sections(const PrmtopFile& file, const Pointers& p) {
    const Extent extents[] = {
        {"SOLTY", p.solution_types},
        {"HBCUT", p.hbond_types},
        {"AMBER_ATOM_TYPE", p.atoms},
        {"TREE_CHAIN_CLASSIFICATION", p.atoms},
        {"JOIN_ARRAY", p.atoms},
        {"IROTAT", p.atoms},
        {"SOLVENT_POINTERS", 3},
        {"BOX_DIMENSIONS", 4},
        {"RADIUS_SET", 1},
        {"RADII", p.atoms},
        {"SCREEN", p.atoms},
        {"IPOL", 1},
        {"FORCE_FIELD_TYPE", 1},
        {"RESIDUE_NUMBER", p.residues},
        {"ATOM_NUMBER", p.atoms},
        {"ATOM_ELEMENT", p.atoms},
        {"ATOM_OCCUPANCY", p.atoms},
        {"ATOM_BFACTOR", p.atoms},
        {"POLARIZABILITY", p.atoms},
    };
    for (const Extent& extent : extents) file.require_values(extent.section, extent.count);
    if (file.has("SOLVENT_POINTERS") && file.has("ATOMS_PER_MOLECULE")) {
        file.require_values("ATOMS_PER_MOLECULE", file.integers("SOLVENT_POINTERS", 3)[1]);
    }
    if (p.box > 0) file.require("BOX_DIMENSIONS");
    // These come together, in this order.
    if (file.has("RADIUS_SET")) file.require("RADII");
    if (file.has("RADII")) file.require("SCREEN");
}

}  // namespace mdsim::amber
