// SPDX-License-Identifier: Apache-2.0
#include "io/matching.h"

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace mdsim;
using Catch::Matchers::Contains;

namespace {

Topology dipeptide_in_water() {
    Topology topology;
    MoleculeType peptide;
    peptide.name = "peptide";
    peptide.residues = {{"ALA", 1, ""}, {"GLY", 2, ""}};
    for (const char* name : {"N", "CA", "HB1"}) peptide.atoms.push_back({name, 0, 0, 0, 0.0, 1.0});
    for (const char* name : {"N", "CA"}) peptide.atoms.push_back({name, 0, 0, 1, 0.0, 1.0});
    MoleculeType water;
    water.name = "WAT";
    water.residues = {{"WAT", 3, ""}};
    for (const char* name : {"O", "H1", "H2"}) water.atoms.push_back({name, 0, 0, 0, 0.0, 1.0});
    topology.types = {peptide, water};
    topology.blocks = {{0, 1}, {1, 2}};
    return topology;
}

Structure structure() {
    Structure s;
    s.labels = {{"N", "ALA", 1, ""},  {"CA", "ALA", 1, ""},  {"1HB", "ALA", 1, ""}, {"N", "GLY", 2, ""},
                {"CA", "GLY", 2, ""}, {"OW", "SOL", 3, ""},  {"HW1", "SOL", 3, ""}, {"HW2", "SOL", 3, ""},
                {"OW", "SOL", 4, ""}, {"HW1", "SOL", 4, ""}, {"HW2", "SOL", 4, ""}};
    s.x.resize(s.labels.size());
    return s;
}

std::string refusal(const Structure& s) {
    try {
        require_match(dipeptide_in_water(), s, "a.prmtop", "b.pdb");
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("Programs' names of one atom are the same, of different atoms not") {
    for (const auto& [a, b] : std::initializer_list<std::pair<const char*, const char*>>{{"HB1", "1HB"},
                                                                                         {"HB1", "HB3"},
                                                                                         {"OW", "O"},
                                                                                         {"HW1", "H1"},
                                                                                         {"NA+", "Na"},
                                                                                         {"O5*", "O5'"},
                                                                                         {"SOD", "Na+"},
                                                                                         {"HN", "H"},
                                                                                         {"OC2", "OXT"},
                                                                                         {"H5'1", "H5''"},
                                                                                         {"CD", "CD1"},
                                                                                         {"Cl-", "CLA"}}) {
        INFO(a << " " << b);
        CHECK(same_atom_name(a, b));
        CHECK(same_atom_name(b, a));
    }
    for (const auto& [a, b] : std::initializer_list<std::pair<const char*, const char*>>{
             {"CA", "CB"}, {"N", "O"}, {"CG1", "CG2"}, {"HA", "HB1"}, {"NA", "CL"}, {"O", "H1"}, {"C5'", "C5"}}) {
        INFO(a << " " << b);
        CHECK_FALSE(same_atom_name(a, b));
    }
    CHECK(same_residue_name("WAT", "SOL"));
    CHECK(same_residue_name("HIE", "HSD"));
    CHECK(same_residue_name("NALA", "ALA"));
    CHECK(same_residue_name("LIG", "UNL"));
    CHECK_FALSE(same_residue_name("ALA", "GLY"));
    CHECK_FALSE(same_residue_name("Na+", "Cl-"));
}

TEST_CASE("Coordinates that fit are taken; others are refused with molecule, residue and atom") {
    CHECK(refusal(structure()) == "no error");
    Structure unnamed;
    unnamed.x.resize(11);
    CHECK(refusal(unnamed) == "no error");

    Structure swapped = structure();
    std::swap(swapped.labels[3], swapped.labels[4]);
    CHECK_THAT(refusal(swapped), Contains("MD206") && Contains("b.pdb") && Contains("2 atoms"));
    CHECK_THAT(refusal(swapped), Contains("residue GLY 2, atom N") && Contains("peptide") && Contains("atom CA"));

    Structure renamed = structure();
    for (int i = 0; i < 3; ++i) renamed.labels[static_cast<std::size_t>(i)].residue = "VAL";
    CHECK_THAT(refusal(renamed), Contains("MD206") && Contains("residue ALA 1") && Contains("residue VAL 1"));
}

TEST_CASE("Another number of atoms: where the first difference is") {
    Structure shorter = structure();
    shorter.labels.resize(9);
    shorter.x.resize(9);
    CHECK_THAT(refusal(shorter), Contains("MD205") && Contains("9 atoms") && Contains("has 11"));
    CHECK_THAT(refusal(shorter), Contains("end before") && Contains("atom H1") && Contains("WAT"));
    Structure longer = structure();
    longer.labels.push_back({"CL", "CL", 5, ""});
    longer.x.resize(12);
    CHECK_THAT(refusal(longer), Contains("ends before atom 12") && Contains("residue CL 5"));
    Structure gap = structure();
    gap.labels.erase(gap.labels.begin() + 2);
    gap.x.pop_back();
    CHECK_THAT(refusal(gap), Contains("first difference") && Contains("atom HB1"));
}
