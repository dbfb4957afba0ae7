// SPDX-License-Identifier: Apache-2.0
#include "system/selection/selection.h"

#include <chrono>
#include <random>

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace mdsim;

namespace {

Atom atom(const char* name, int element, int residue, double charge = 0.0) {
    Atom a;
    a.name = name;
    a.element = element;
    a.residue = residue;
    a.charge = charge;
    return a;
}

/// A peptide ACE-ALA-CHIE (10 atoms), `waters` waters called XYZ, two sodium ions, one more water: 1-based
/// 1-3 ACE 5, 4-7 ALA 6, 8-10 CHIE 7, then waters, then ions.
Topology peptide(std::int64_t waters) {
    Topology topology;
    MoleculeType protein;
    protein.residues = {{"ACE", 5, ""}, {"ALA", 6, ""}, {"CHIE", 7, ""}};
    protein.atoms = {atom("CH3", 6, 0), atom("C", 6, 0), atom("O", 8, 0), atom("N", 7, 1),  atom("CA", 6, 1),
                     atom("HA", 1, 1),  atom("C", 6, 1), atom("N", 7, 2), atom("CA", 6, 2), atom("OXT", 8, 2)};
    MoleculeType water;
    water.residues = {{"XYZ", 1, ""}};
    water.atoms = {atom("OW", 8, 0, -0.8), atom("HW1", 1, 0, 0.4), atom("HW2", 1, 0, 0.4)};
    MoleculeType sodium;
    sodium.residues = {{"NA", 1, ""}};
    sodium.atoms = {atom("NA", 11, 0, 1.0)};
    topology.types = {protein, water, sodium};
    topology.blocks = {{0, 1}, {1, waters}, {2, 2}, {1, 1}};
    return topology;
}

/// 1-based atom numbers.
std::vector<int> numbers(const char* text, std::int64_t waters = 2) {
    std::vector<int> out;
    for (const AtomId id : select(text, peptide(waters))) out.push_back(static_cast<int>(id) + 1);
    return out;
}

using Numbers = std::vector<int>;

/// As above, atoms placed one nanometre apart along x, the peptide first, in a box of 21 nm.
std::vector<int> placed_numbers(const char* text) {
    const Topology topology = peptide(2);
    std::vector<Vec3d> x;
    for (int i = 0; i < 21; ++i) x.push_back({static_cast<double>(i), 0.25, -30.0});
    const Box box = Box::rectangular(21.0, 5.0, 7.0);
    std::vector<int> out;
    for (const AtomId id : select(text, topology, {x, box})) out.push_back(static_cast<int>(id) + 1);
    return out;
}

std::string remedy(const char* text) {
    try {
        select(text, peptide(2));
    } catch (const SelectionError& error) {
        return error.remedy();
    }
    return {};
}

std::size_t error_column(const char* text) {
    try {
        check_selection(text);
    } catch (const SelectionError& error) {
        return error.column();
    }
    return 0;
}

}  // namespace

TEST_CASE("words of a selection", "[selection]") {
    CHECK(numbers("all").size() == 21);
    CHECK(numbers("none").empty());
    CHECK(numbers("protein") == Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(numbers("backbone") == Numbers{2, 3, 4, 5, 7, 8, 9});
    CHECK(numbers("water") == Numbers{11, 12, 13, 14, 15, 16, 19, 20, 21});
    CHECK(numbers("ions") == Numbers{17, 18});
    CHECK(numbers("name CA HW1") == Numbers{5, 9, 12, 15, 20});
    CHECK(numbers("name H*") == Numbers{6, 12, 13, 15, 16, 20, 21});
    CHECK(numbers("name ?W") == Numbers{11, 14, 19});
    CHECK(numbers("resname ALA, CHIE") == Numbers{4, 5, 6, 7, 8, 9, 10});
    CHECK(numbers("element na") == Numbers{17, 18});
    CHECK(numbers("element O and protein") == Numbers{3, 10});
    CHECK(numbers("name 'all'").empty());
}

TEST_CASE("numbers and ranges of a selection", "[selection]") {
    CHECK(numbers("index 1-3 10 12 to 13, 21") == Numbers{1, 2, 3, 10, 12, 13, 21});
    CHECK(numbers("index 1:3") == Numbers{1, 2, 3});
    CHECK(numbers("index 0 22").empty());
    CHECK(numbers("protein and resid 6-7") == Numbers{4, 5, 6, 7, 8, 9, 10});
    // Waters and ions count on from the protein, which ends with 7: two waters, two ions, a water.
    CHECK(numbers("resid 7-8") == Numbers{8, 9, 10, 11, 12, 13});
    CHECK(numbers("resid 9") == Numbers{14, 15, 16});
    CHECK(numbers("resid 10-11") == Numbers{17, 18});
    CHECK(numbers("resid 12") == Numbers{19, 20, 21});
    CHECK(numbers("resid 1-4 13").empty());
    CHECK(numbers("resid -5--1").empty());
}

TEST_CASE("and binds tighter than or, not tightest, brackets win", "[selection]") {
    CHECK(numbers("index 1 or index 2 and index 3") == Numbers{1});
    CHECK(numbers("(index 1 or index 2) and index 2") == Numbers{2});
    CHECK(numbers("not water and not ions").size() == 10);
    CHECK(numbers("not (water or ions)").size() == 10);
    CHECK(numbers("not not index 4") == Numbers{4});
    CHECK(numbers("protein and not(element C or element O)and not name HA") == Numbers{4, 8});
}

TEST_CASE("chains and molecules of a selection", "[selection]") {
    Topology topology = peptide(2);
    topology.types[0].name = "Protein_chain_A";
    topology.types[1].name = "SOL";
    topology.blocks = {{0, 1}, {1, 2}, {0, 2}};
    const auto first = [&](const char* text) {
        const auto atoms = select(text, topology);
        return atoms.empty() ? -1 : static_cast<int>(atoms.front()) + 1;
    };
    CHECK(select("molecule SOL", topology).size() == 6);
    CHECK(select("moltype Prot*", topology).size() == 30);
    // No file names them, so the polymers are A, B and C, whatever stands between them.
    CHECK(select("chain A", topology).size() == 10);
    CHECK(first("chain A") == 1);
    CHECK(first("chain B") == 17);
    CHECK(first("chain C") == 27);
    CHECK(first("chain D") == -1);
    CHECK(select("chain 'A' 'C' or water", topology).size() == 26);
    topology.types[0].residues[1].chain = "heavy";
    CHECK(select("chain heavy", topology).size() == 12);
    CHECK(select("chain A", topology).size() == 6);
}

TEST_CASE("selections by distance", "[selection]") {
    CHECK(placed_numbers("within 1.01 nm of index 5") == Numbers{4, 5, 6});
    CHECK(placed_numbers("within 10.1 A of index 5") == Numbers{4, 5, 6});
    CHECK(placed_numbers("within 1.01nm of index 1") == Numbers{1, 2, 21});  // across the face of the box
    CHECK(placed_numbers("within 1.01 nm of index 5 and not index 5") == Numbers{4, 6});
    CHECK(placed_numbers("not within 17 nm of none").size() == 21);
    CHECK(placed_numbers("within 50 nm of index 1").size() == 21);
    CHECK(placed_numbers("within 1.01 nm of (index 1 or index 12)") == Numbers{1, 2, 11, 12, 13, 21});
    CHECK(placed_numbers("within 1.01 nm of within 1.01 nm of index 5") == Numbers{3, 4, 5, 6, 7});
    CHECK(placed_numbers("same residue as index 12") == Numbers{11, 12, 13});
    CHECK(placed_numbers("same molecule as index 2") == Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    CHECK(placed_numbers("water and same residue as within 1.01 nm of protein") == Numbers{11, 12, 13, 19, 20, 21});
    CHECK(needs_places("water and (within 5 A of protein)"));
    CHECK_FALSE(needs_places("water"));
    CHECK_THROWS_WITH(select("water and within 5 A of protein", peptide(2)), Catch::Contains("needs positions"));
}

TEST_CASE("near misses in a selection get a hint", "[selection]") {
    CHECK_THAT(remedy("protien"), Catch::Contains("'protein'"));
    CHECK_THAT(remedy("Backbone"), Catch::Contains("'backbone'"));
    CHECK_THAT(remedy("resn ALA"), Catch::Contains("'resname'"));
    CHECK_THAT(remedy("resnam ALA"), Catch::Contains("'resname'"));
    CHECK_THAT(remedy("around 5 protein"), Catch::Contains("within 0.5 nm of"));
    CHECK_THAT(remedy("protein adn water"), Catch::Contains("'and'"));
    CHECK_THAT(remedy("protein && water"), Catch::Contains("'and'"));
    CHECK_THAT(remedy("gibberish"), Catch::Contains("the words are all, none, protein"));
    CHECK_THAT(remedy("within 5 of protein"), Catch::Contains("within 5 nm of"));
    const Topology topology = peptide(2);
    CHECK(names_not_found("resname ALA and name CA H*", topology).empty());
    CHECK(names_not_found("protein and name CAA", topology) ==
          "no atom is called 'CAA' (column 18), but there is 'CA'");
    CHECK(names_not_found("resname QQQ or chain Z", topology) ==
          "no residue is called 'QQQ' (column 9); no chain is called 'Z' (column 22)");
}

TEST_CASE("residue names of force fields", "[selection]") {
    const auto protein_residue = [](const char* name) {
        Topology topology;
        MoleculeType type;
        type.residues = {{name, 1, ""}};
        type.atoms = {atom("CA", 6, 0)};
        topology.types = {type};
        topology.blocks = {{0, 1}};
        return select("protein", topology).size() == 1;
    };
    for (const char* name : {"ALA", "HID", "HIE", "HIP", "HSD", "CYX", "ASH", "GLH", "LYN", "NALA", "CALA", "NHIE",
                             "CCYX", "NME", "LYSH", "HISB"}) {
        CHECK(protein_residue(name));
    }
    for (const char* name : {"SOL", "NA", "CLA", "DA", "POPC", "NXYZ", "ala", ""}) CHECK(!protein_residue(name));
}

TEST_CASE("mistakes in a selection are placed", "[selection]") {
    CHECK(error_column("") == 1);
    CHECK(error_column("protein water") == 9);
    CHECK(error_column("protein and") == 12);
    CHECK(error_column("protien") == 1);
    CHECK(error_column("(protein") == 1);
    CHECK(error_column("protein)") == 8);
    CHECK(error_column("name") == 5);
    CHECK(error_column("resid 5-x") == 7);
    CHECK(error_column("resid 10-5") == 7);
    CHECK(error_column("resid 5 to") == 11);
    CHECK(error_column("element Qq") == 9);
    CHECK(error_column("name 'CA") == 6);
    CHECK(error_column("and water") == 1);
    CHECK(error_column("protein and protien") == 13);
    CHECK(error_column("within 0.5 of water") == 8);
    CHECK(error_column("within 0.5 parsec of water") == 12);
    CHECK(error_column("within 0.5parsec of water") == 11);
    CHECK(error_column("within -1 nm of water") == 8);
    CHECK(error_column("within nan nm of water") == 8);
    CHECK(error_column("within 1 nm protein") == 13);
    CHECK(error_column("within 1 nm of") == 15);
    CHECK(error_column("same chain as protein") == 6);
    CHECK(error_column("same residue of protein") == 14);
    CHECK(error_column("chain and water") == 7);
    CHECK(error_column("index 99999999999999999999") == 7);
    CHECK(error_column((std::string(5000, '(') + "all").c_str()) > 0);
    CHECK(error_column("protein and not (element H or name CA)") == 0);
}

TEST_CASE("a selection in a million atoms takes well under a second", "[selection]") {
    const Topology topology = peptide(333333);
    const auto start = std::chrono::steady_clock::now();
    CHECK(select("water and not element H", topology).size() == 333334);
    CHECK(select("resid 1-1000 and not (protein or element H)", topology).size() == 993);
    CHECK(select("chain A or same residue as index 1-100", topology).size() == 100);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    CHECK(taken.count() < 1.0);
}

TEST_CASE("mutated selections are evaluated or refused, never anything else", "[selection]") {
    const std::string seeds[] = {"protein and not (backbone or element H)",
                                 "chain A and same residue as (water and within 0.5 nm of molecule M* or name CA)",
                                 "resid 1-10, 15 to 20 or index 5 and name CA 'C' H*"};
    const Topology topology = peptide(2);
    const std::vector<Vec3d> x(static_cast<std::size_t>(topology.atoms()));
    const Box box = Box::rectangular(2.0, 2.0, 2.0);
    std::mt19937 random(11);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        std::string text = seeds[i % 3];
        for (std::size_t change = 0; change <= random() % 4 && !text.empty(); ++change) {
            const std::size_t at = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text.erase(at, 1 + random() % 5);
                    break;
                case 1:
                    text.insert(at, text.substr(at, random() % 8));
                    break;
                default:
                    text[at] = static_cast<char>(random());
                    break;
            }
        }
        try {
            select(text, topology, {x, box});
        } catch (const SelectionError& error) {
            ++refused;
            if (error.column() == 0 || error.column() > text.size() + 1) FAIL(text);
        } catch (const std::exception& error) {
            FAIL(text << "\n" << error.what());
        }
    }
    CHECK(refused > 200);
}
