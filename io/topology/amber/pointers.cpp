// SPDX-License-Identifier: Apache-2.0
#include "io/topology/amber/pointers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace mdsim::amber {

namespace {

/// Sections with what the force terms need, and sections that no force depends on.
constexpr std::array known_sections = {"TITLE",
                                       "CTITLE",
                                       "POINTERS",
                                       "ATOM_NAME",
                                       "CHARGE",
                                       "ATOMIC_NUMBER",
                                       "MASS",
                                       "ATOM_TYPE_INDEX",
                                       "NUMBER_EXCLUDED_ATOMS",
                                       "NONBONDED_PARM_INDEX",
                                       "RESIDUE_LABEL",
                                       "RESIDUE_POINTER",
                                       "BOND_FORCE_CONSTANT",
                                       "BOND_EQUIL_VALUE",
                                       "ANGLE_FORCE_CONSTANT",
                                       "ANGLE_EQUIL_VALUE",
                                       "DIHEDRAL_FORCE_CONSTANT",
                                       "DIHEDRAL_PERIODICITY",
                                       "DIHEDRAL_PHASE",
                                       "SCEE_SCALE_FACTOR",
                                       "SCNB_SCALE_FACTOR",
                                       "SOLTY",
                                       "LENNARD_JONES_ACOEF",
                                       "LENNARD_JONES_BCOEF",
                                       "LENNARD_JONES_14_ACOEF",
                                       "LENNARD_JONES_14_BCOEF",
                                       "BONDS_INC_HYDROGEN",
                                       "BONDS_WITHOUT_HYDROGEN",
                                       "ANGLES_INC_HYDROGEN",
                                       "ANGLES_WITHOUT_HYDROGEN",
                                       "DIHEDRALS_INC_HYDROGEN",
                                       "DIHEDRALS_WITHOUT_HYDROGEN",
                                       "EXCLUDED_ATOMS_LIST",
                                       "HBOND_ACOEF",
                                       "HBOND_BCOEF",
                                       "HBCUT",
                                       "AMBER_ATOM_TYPE",
                                       "TREE_CHAIN_CLASSIFICATION",
                                       "JOIN_ARRAY",
                                       "IROTAT",
                                       "SOLVENT_POINTERS",
                                       "ATOMS_PER_MOLECULE",
                                       "BOX_DIMENSIONS",
                                       "RADIUS_SET",
                                       "RADII",
                                       "SCREEN",
                                       "IPOL",
                                       "FORCE_FIELD_TYPE",
                                       "CHARMM_UREY_BRADLEY_COUNT",
                                       "CHARMM_UREY_BRADLEY",
                                       "CHARMM_UREY_BRADLEY_FORCE_CONSTANT",
                                       "CHARMM_UREY_BRADLEY_EQUIL_VALUE",
                                       "CHARMM_NUM_IMPROPERS",
                                       "CHARMM_IMPROPERS",
                                       "CHARMM_NUM_IMPR_TYPES",
                                       "CHARMM_IMPROPER_FORCE_CONSTANT",
                                       "CHARMM_IMPROPER_PHASE",
                                       "RESIDUE_CHAINID",
                                       "RESIDUE_NUMBER",
                                       "RESIDUE_ICODE",
                                       "ATOM_NUMBER",
                                       "ATOM_ELEMENT",
                                       "ATOM_OCCUPANCY",
                                       "ATOM_BFACTOR",
                                       "CAP_INFO",
                                       "CAP_INFO2",
                                       "POLARIZABILITY",
                                       "CHARMM_CMAP_COUNT",
                                       "CHARMM_CMAP_RESOLUTION",
                                       "CHARMM_CMAP_INDEX",
                                       "CMAP_COUNT",
                                       "CMAP_RESOLUTION",
                                       "CMAP_INDEX"};

struct Feature {
    const char* prefix;  ///< of the sections that bring it
    const char* name;
};
constexpr std::array refused_sections = {
    Feature{"LENNARD_JONES_CCOEF", "12-6-4 Lennard-Jones (LENNARD_JONES_CCOEF)"},
    Feature{"LENNARD_JONES_DCOEF", "m12-6-4 Lennard-Jones (LENNARD_JONES_DCOEF)"},
    Feature{"AMOEBA", "the AMOEBA force field"},
    Feature{"LES_", "locally enhanced sampling (LES)"},
    Feature{"PERT_", "free-energy perturbation"},
    Feature{"VIRTUAL_SITE", "virtual sites"},
};
constexpr std::array cmap_tables = {"CHARMM_CMAP_PARAMETER", "CMAP_PARAMETER"};

Problem unsupported(const Place& place, const std::string& feature) {
    return {.code = "MD202",
            .place = place,
            .what = feature + " needed by this file: mdsim does not compute that yet",
            .why = "forces without it would be wrong, so the file is refused",
            .remedy = "prepare the system with a force field that does without it"};
}

void collect_sections(const PrmtopFile& file, Problems& problems) {
    for (const auto& [name, section] : file.sections()) {
        const auto begins = [&name = name](const auto& prefix) { return name.starts_with(prefix); };
        const auto feature = std::find_if(refused_sections.begin(), refused_sections.end(),
                                          [&](const Feature& f) { return begins(f.prefix); });
        if (feature != refused_sections.end()) {
            problems.add(unsupported(file.place(name), feature->name));
        } else if (std::find(known_sections.begin(), known_sections.end(), name) == known_sections.end() &&
                   std::none_of(cmap_tables.begin(), cmap_tables.end(), begins)) {
            problems.add({.code = "MD203",
                          .place = file.place(name),
                          .what = fmt::format("section %FLAG {} is unknown to mdsim", name),
                          .why = "what it means for the forces cannot be guessed",
                          .remedy = "remove it if it is known to matter for no force"});
        }
    }
}

void collect_pointers(const PrmtopFile& file, const std::vector<int>& values, Problems& problems) {
    const auto value = [&](std::size_t at) { return at < values.size() ? values[at] : 0; };
    const auto refuse_if = [&](bool found, std::int64_t at, const char* name) {
        if (found) problems.add(unsupported(file.place("POINTERS", at), name));
    };
    refuse_if(value(9) == 1, 9, "locally enhanced sampling (NPARM = 1)");
    refuse_if(value(20) > 0, 20, "free-energy perturbation (IFPERT)");
    refuse_if(value(29) > 0, 29, "a water cap (IFCAP)");
    refuse_if(value(31) > 1, 31, "path integrals (NCOPY)");
    if (file.has("IPOL") && file.integers("IPOL", 1)[0] != 0) {
        problems.add(unsupported(file.place("IPOL"), "polarisable atoms (IPOL)"));
    }
}

// A wrong NATOM shows in every section of atoms; the fault is then in POINTERS.
void check_atom_count(const PrmtopFile& file, int atoms) {
    const std::int64_t charges = file.count("CHARGE");
    if (charges == atoms || charges == 0 || charges != file.count("MASS") || charges != file.count("ATOM_TYPE_INDEX"))
        return;
    file.refuse(file.place("POINTERS", 0),
                fmt::format("POINTERS says NATOM = {}, but CHARGE, MASS and ATOM_TYPE_INDEX hold {} values each", atoms,
                            charges));
}

// Without the last of these a file was cut off; that is said before anything about its features.
void check_complete(const PrmtopFile& file, int atoms) {
    file.words("ATOM_NAME", atoms);
    for (const char* name : {"CHARGE", "MASS", "ATOM_TYPE_INDEX", "NONBONDED_PARM_INDEX", "RESIDUE_LABEL",
                             "LENNARD_JONES_BCOEF", "DIHEDRALS_WITHOUT_HYDROGEN", "EXCLUDED_ATOMS_LIST"}) {
        file.require(name);
    }
}

}  // namespace

Pointers read_pointers(const PrmtopFile& file) {
    const std::vector<int> values = file.integers("POINTERS");
    if (values.size() < 30) {
        file.refuse(file.place("POINTERS"),
                    fmt::format("section %FLAG POINTERS holds {} values, at least 30 were expected", values.size()));
    }
    for (std::size_t at = 0; at < values.size(); ++at) {
        if (values[at] < 0) {
            file.refuse(file.place("POINTERS", static_cast<std::int64_t>(at)), "a count in POINTERS is negative");
        }
    }
    check_atom_count(file, values[0]);
    check_complete(file, values[0]);
    Problems problems;
    collect_sections(file, problems);
    collect_pointers(file, values, problems);
    problems.throw_if_any();
    Pointers p;
    p.atoms = values[0];
    p.types = values[1];
    p.bonds_h = values[2];
    p.angles_h = values[4];
    p.dihedrals_h = values[6];
    p.exclusions = values[10];
    p.residues = values[11];
    p.bonds = values[12];
    p.angles = values[13];
    p.dihedrals = values[14];
    p.bond_types = values[15];
    p.angle_types = values[16];
    p.dihedral_types = values[17];
    p.solution_types = values[18];
    p.hbond_types = values[19];
    p.box = values[27];
    if (p.atoms == 0) file.refuse(file.place("POINTERS", 0), "POINTERS says NATOM = 0: there are no atoms");
    return p;
}

}  // namespace mdsim::amber
