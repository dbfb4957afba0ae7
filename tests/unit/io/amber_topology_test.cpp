// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "amber_prmtop_text.h"
#include "core/error.h"
#include "io/scratch_file.h"
#include "io/topology/amber.h"
#include "reference_data.h"

using namespace mdsim;
using Catch::Matchers::Contains;

namespace {

Topology read(const PrmtopText& text) {
    return read_amber_topology(ScratchFile("hand.prmtop", text.text()).path());
}

std::string refusal(const PrmtopText& text) {
    try {
        read(text);
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A prmtop made by hand has the terms that its numbers say") {
    const Topology topology = read(PrmtopText{});
    CHECK(topology.title == "peroxide");
    REQUIRE(topology.types.size() == 2);
    REQUIRE(topology.blocks.size() == 2);
    CHECK(topology.blocks[1].count == 2);
    CHECK(topology.types[1].name == "Na+");
    CHECK_FALSE(topology.file_box.periodic());

    const MoleculeType& m = topology.types[0];
    REQUIRE(m.size() == 4);
    CHECK(m.atoms[1].name == "O1");
    CHECK(m.atoms[0].charge == Approx(0.1));
    CHECK(m.atoms[1].element == 8);
    REQUIRE(m.bonds.size() == 3);
    CHECK(m.bonds[0].k == Approx(2 * 100.0 * 418.4));
    CHECK(m.bonds[2] == Bond{1, 2, 2 * 200.0 * 4.184 * 100.0, 1.5 * 0.1});
    REQUIRE(m.angles.size() == 2);
    CHECK(m.angles[1].force_constant == Approx(2 * 50.0 * 4.184));
    CHECK(m.angles[1].theta0 == 1.75);
    REQUIRE(m.proper_dihedrals.size() == 1);
    CHECK(m.proper_dihedrals[0].multiplicity == 3);
    CHECK(m.proper_dihedrals[0].force_constant == Approx(8.368));
    // No SCEE and SCNB sections: 1.2 and 2.
    REQUIRE(m.pairs14.size() == 1);
    CHECK(m.pairs14[0].charge_product == Approx(0.01 / 1.2));
    CHECK(m.pairs14[0].lj.c12 == Approx(1000 * 4.184e-12 / 2));
    CHECK(m.pairs14[0].lj.c6 == Approx(10 * 4.184e-6 / 2));
    CHECK(m.exclusions == std::vector<Exclusion>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
    CHECK(topology.force_field.source == ForceFieldSource::amber);
    CHECK(topology.force_field.coulomb_constant == units::coulomb_amber);
    CHECK(topology.force_field.type_names == std::vector<std::string>{"HO", "OS", "IP"});
    CHECK(topology.force_field.pair(1, 2).c12 == Approx(5000 * 4.184e-12));
    CHECK(topology.force_field.pair(2, 1).c6 == Approx(50 * 4.184e-6));
}

TEST_CASE("Signs of dihedral atoms and scale factors of zero decide about 1-4 pairs") {
    const std::string flags = "%FORMAT(10I8)\n";
    const auto of = [&](const char* dihedral) {
        return read(PrmtopText{}.set("DIHEDRALS_INC_HYDROGEN", flags + dihedral + "\n")).types[0];
    };
    CHECK(of("       0       3      -6       9       1").pairs14.empty());
    CHECK(of("       0       3      -6       9       1").proper_dihedrals.size() == 1);
    const MoleculeType improper = of("       0       3      -6      -9       1");
    CHECK(improper.pairs14.empty());
    CHECK(improper.proper_dihedrals.empty());
    CHECK(improper.improper_dihedrals.size() == 1);

    PrmtopText text;
    text.set("SCEE_SCALE_FACTOR", "%FORMAT(5E16.8)\n  0.00000000E+00\n");
    text.set("SCNB_SCALE_FACTOR", "%FORMAT(5E16.8)\n  0.00000000E+00\n");
    CHECK(read(text).types[0].pairs14.empty());
    text.set("SCEE_SCALE_FACTOR", "%FORMAT(5E16.8)\n  2.00000000E+00\n");
    text.set("DIHEDRAL_FORCE_CONSTANT", "%FORMAT(5E16.8)\n  0.00000000E+00\n");
    const MoleculeType pair_only = read(text).types[0];
    CHECK(pair_only.proper_dihedrals.empty());
    REQUIRE(pair_only.pairs14.size() == 1);
    CHECK(pair_only.pairs14[0].charge_product == Approx(0.005));
    CHECK(pair_only.pairs14[0].lj == LjParameters{});
}

TEST_CASE("Formats of any width, comments and DOS line ends are read") {
    PrmtopText text;
    text.set("CHARGE",
             "%COMMENT charges\n%FORMAT(2(E20.12))  \n"
             "  1.822230000000E+00 -1.822230000000D+00\n -1.822230000000E+00  1.822230000000E+00\n"
             "           18.222300            18.2223\n");
    CHECK(read(text).charge() == Approx(2.0));
    std::string dos;
    for (const char c : text.text()) dos += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(read_amber_topology(ScratchFile("dos.prmtop", dos).path()).atoms() == 6);
}

TEST_CASE("Elements follow from masses where the file does not give them, also after mass repartitioning") {
    PrmtopText text;
    text.set("ATOMIC_NUMBER", "%FORMAT(10I8)\n       0       0       0       0      -1       0\n");
    text.set("MASS",
             "%FORMAT(5E16.8)\n  3.02400000E+00  1.39840000E+01  1.39840000E+01  3.02400000E+00  2.29900000E+01\n"
             "  2.29900000E+01\n");
    const Topology topology = read(text);
    CHECK(topology.types[0].atoms[0].element == 1);
    CHECK(topology.types[0].atoms[1].element == 8);
    CHECK(topology.types[1].atoms[0].element == 11);
}

TEST_CASE("Elements follow from names first, with masses as check") {
    const auto element = [](const char* name, const char* mass) {
        PrmtopText text;
        text.set("ATOMIC_NUMBER", "%FORMAT(10I8)\n       0       0       0       0       0       0\n");
        text.replace("ATOM_NAME", "O1  O2  H2  Na+ Na+", std::string("O1  O2  H2  Na+ ") + name);
        text.replace("MASS", "1.00800000E+00  2.29900000E+01\n  2.29900000E+01",
                     std::string("1.00800000E+00  2.29900000E+01\n  ") + mass);
        const Topology topology = read(text);
        return topology.types.back().atoms[0].element;
    };
    CHECK(element("CA  ", "1.20100000E+01") == 6);
    CHECK(element("CA  ", "4.00800000E+01") == 20);
    CHECK(element("C0  ", "4.00800000E+01") == 20);
    CHECK(element("IM  ", "3.54500000E+01") == 17);
    CHECK(element("CH4 ", "1.60420000E+01") == 6);  // a united atom, not oxygen
    CHECK(element("OW  ", "1.19700000E+01") == 8);  // hydrogens elsewhere took its mass, not carbon
}

TEST_CASE("The box of a prmtop: rectangular and truncated octahedron") {
    PrmtopText text;
    text.replace("POINTERS", "       0       4       0\n", "       2       4       0\n");
    text.set("BOX_DIMENSIONS", "%FORMAT(5E16.8)\n  1.09471219E+02  3.00000000E+01  3.00000000E+01  3.00000000E+01\n");
    const Box box = read(text).file_box;
    CHECK(box.rows()[0].x == Approx(3.0));
    // 4/9 sqrt(3) of the cube of the edge length.
    text.replace("BOX_DIMENSIONS", "1.09471219E+02", "9.00000000E+01");
    text.replace("POINTERS", "       2       4       0\n", "       1       4       0\n");
    CHECK(read(text).file_box.volume() == Approx(27.0));
    // One angle of 60 degrees may be any of several boxes.
    text.replace("BOX_DIMENSIONS", "9.00000000E+01", "6.00000000E+01");
    CHECK_FALSE(read(text).file_box.periodic());
    CHECK(box.volume() == Approx(27.0 * 4.0 / 9.0 * std::sqrt(3.0)).epsilon(1e-6));
}

TEST_CASE("Maps of two torsions in a prmtop, by either name of their sections") {
    for (const std::string prefix : {"CMAP", "CHARMM_CMAP"}) {
        PrmtopText text;
        text.set(prefix + "_COUNT", "%FORMAT(2I8)\n       1       2\n");
        text.set(prefix + "_RESOLUTION", "%FORMAT(20I4)\n   4   5\n");
        const std::string row = "  1.00000  2.00000  3.00000  4.00000\n";
        text.set(prefix + "_PARAMETER_01", "%FORMAT(8(F9.5))\n" + row + row + row + row);
        std::string second = "%FORMAT(8(F9.5))\n";
        for (int n = 1; n <= 25; ++n) second += "  0.50000" + std::string(n % 8 == 0 ? "\n" : "");
        text.set(prefix + "_PARAMETER_02", second + "\n");
        text.set(prefix + "_INDEX", "%FORMAT(6I8)\n       1       2       3       4       1       2\n");
        const Topology topology = read(text);
        REQUIRE(topology.force_field.cmap_grids.size() == 2);
        CHECK(topology.force_field.cmap_grids[0].energy[6] == Approx(3.0 * 4.184));
        CHECK(topology.force_field.cmap_grids[1].size == 5);
        REQUIRE(topology.types[0].cmaps.size() == 1);
        CHECK(topology.types[0].cmaps[0] == Cmap::of_five(0, 1, 2, 3, 0, 1));
        PrmtopText wrong = text;
        wrong.set(prefix + "_INDEX", "%FORMAT(6I8)\n       1       2       3       4       1       3\n");
        CHECK_THAT(refusal(wrong), Contains(prefix + "_INDEX: 3 names no map"));
        wrong.set(prefix + "_INDEX", "%FORMAT(6I8)\n       1       2       3       4      99       1\n");
        CHECK_THAT(refusal(wrong), Contains("99 names no atom"));
        wrong = text;
        wrong.set(prefix + "_RESOLUTION", "%FORMAT(20I4)\n   4 200\n");
        CHECK_THAT(refusal(wrong), Contains("200 points"));
    }
}

TEST_CASE("What a prmtop needs and mdsim lacks is refused by name, all together") {
    PrmtopText text;
    text.replace("POINTERS", "       8       3", "       8       3");
    text.set("LENNARD_JONES_CCOEF", "%FORMAT(5E16.8)\n\n");
    text.set("NEW_TERM", "%FORMAT(6I8)\n\n");
    text.set("IPOL", "%FORMAT(1I8)\n       1\n");
    const std::string message = refusal(text);
    CHECK_THAT(message, Contains("12-6-4") && Contains("polarisable"));
    CHECK_THAT(message, Contains("NEW_TERM") && Contains("hand.prmtop:"));

    CHECK_THAT(refusal(PrmtopText{}.replace("MASS", "  1.00800000E+00", "  0.00000000E+00")),
               Contains("atom 1 (H1)") && Contains("extra point"));
    PrmtopText hbond;
    hbond.replace("NONBONDED_PARM_INDEX", "       1       2", "      -1       2");
    hbond.replace("POINTERS", "       1       1       3       0\n", "       1       1       3       1\n");
    hbond.set("HBOND_ACOEF", "%FORMAT(5E16.8)\n  1.00000000E+00\n");
    hbond.set("HBOND_BCOEF", "%FORMAT(5E16.8)\n  1.00000000E+00\n");
    CHECK_THAT(refusal(hbond), Contains("10-12"));
    hbond.set("HBOND_ACOEF", "%FORMAT(5E16.8)\n  0.00000000E+00\n");
    hbond.set("HBOND_BCOEF", "%FORMAT(5E16.8)\n  0.00000000E+00\n");
    CHECK(read(hbond).force_field.pair(0, 0) == LjParameters{});
}

TEST_CASE("Broken prmtops are refused with section, line and column") {
    CHECK_THAT(refusal(PrmtopText{}.replace("CHARGE", "-1.82223000E+00", "-1.8O223000E+00")),
               Contains("CHARGE") && Contains(":16:22:") && Contains("-1.8O223000E+00"));
    CHECK_THAT(refusal(PrmtopText{}.replace("BOND_EQUIL_VALUE", "  1.50000000E+00", "")),
               Contains("BOND_EQUIL_VALUE") && Contains("1 values, 2 were expected"));
    CHECK_THAT(refusal(PrmtopText{}.replace("BOND_EQUIL_VALUE", "\n  1.0", "\n  7.00000000E+00  1.0")),
               Contains("BOND_EQUIL_VALUE") && Contains("more than the 2 values"));
    CHECK_THAT(refusal(PrmtopText{}.replace("POINTERS", "       6       3", "       7       3")),
               Contains("NATOM = 7") && Contains("6 values"));
    CHECK_THAT(refusal(PrmtopText{}.replace("BONDS_WITHOUT_HYDROGEN", "       3       6", "       3      60")),
               Contains("BONDS_WITHOUT_HYDROGEN") && Contains("60 names no atom"));
    CHECK_THAT(refusal(PrmtopText{}.replace("BONDS_WITHOUT_HYDROGEN", "       2\n", "       3\n")),
               Contains("names no parameters"));
    CHECK_THAT(refusal(PrmtopText{}.replace("MASS", "1.60000000E+01", "           nan")), Contains("not a number"));
    const std::string whole = PrmtopText{}.text();
    const auto cut = [&](std::size_t size) {
        try {
            read_amber_topology(ScratchFile("cut.prmtop", whole.substr(0, size)).path());
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    CHECK_THAT(cut(whole.find("%FLAG HBOND_ACOEF") - 20), Contains("EXCLUDED_ATOMS_LIST") && Contains("cut off"));
    CHECK_THAT(cut(whole.find("%FLAG MASS")), Contains("ATOMIC_NUMBER") && Contains("cut off"));
    // Wherever it is cut, there is an error or a whole topology, never a crash.
    for (std::size_t size = 1; size < whole.find("%FLAG HBOND_ACOEF"); size += 7) CHECK(cut(size) != "no error");
}

TEST_CASE("Prmtops of other programs: counts as those programs give them") {
    const auto folder = reference_data("AMBER topologies of the reference data");
    if (!folder) return;
    // Atoms, residues, charge and mass: README.md and reference.json there, and facts.json of oddfiles.
    const Topology ala2 = read_amber_topology(*folder / "amber_ala2_tip3p/ala2.prmtop");
    CHECK(ala2.atoms() == 2269);
    CHECK(ala2.residues() == 752);
    CHECK(ala2.types.size() == 2);
    CHECK(ala2.blocks[1].count == 749);
    CHECK(ala2.types[0].proper_dihedrals.size() == 28);
    CHECK(ala2.types[0].pairs14.size() == 41);
    const Topology dna = read_amber_topology(*folder / "amber_dna_dodecamer/dna.prmtop");
    CHECK(dna.charge() == Approx(-22.0));
    const Topology jac = read_amber_topology(*folder / "amber_jac_dhfr/JAC.prmtop");
    CHECK(jac.atoms() == 23558);
    CHECK(jac.charge() == Approx(-11.0));
    const Topology tip4p = read_amber_topology(*folder / "amber_tip4p_box/tip4p.parm7");
    REQUIRE(tip4p.types.size() == 1);
    CHECK(tip4p.blocks[0].count == 216);
    CHECK(tip4p.types[0].virtual_sites.size() == 1);
    const Topology chamber = read_amber_topology(*folder / "charmm_ala3_solv/ala3_solv.chamber.parm7");
    CHECK(chamber.atoms() == 2776);
    CHECK(chamber.types[0].cmaps.size() == 1);
}

namespace {

/// A water with two extra points (types 1, 2, 3) and an ion; bonds to the points are 0.7 A long.
PrmtopText five_site_water() {
    PrmtopText text;
    text.set("POINTERS",
             "%FORMAT(10I8)\n       6       3       3       2       0       0       0       0       0       0\n"
             "      11       2       2       0       0       3       1       1       3       0\n"
             "       0       0       0       0       0       0       0       0       5       0\n"
             "       2\n");
    text.set("ATOM_NAME", "%FORMAT(20a4)\nO   H1  H2  EP1 EP2 Na+\n");
    text.set("ATOMIC_NUMBER", "%FORMAT(10I8)\n       8       1       1       0       0      11\n");
    text.set("MASS",
             "%FORMAT(5E16.8)\n  1.60000000E+01  1.00800000E+00  1.00800000E+00  0.00000000E+00  0.00000000E+00\n"
             "  2.29900000E+01\n");
    text.set("ATOM_TYPE_INDEX", "%FORMAT(10I8)\n       2       1       1       3       3       3\n");
    text.set("NUMBER_EXCLUDED_ATOMS", "%FORMAT(10I8)\n       4       3       2       1       1       0\n");
    text.set("RESIDUE_LABEL", "%FORMAT(20a4)\nWAT Na+\n");
    text.set("RESIDUE_POINTER", "%FORMAT(10I8)\n       1       6\n");
    text.set("BOND_FORCE_CONSTANT", "%FORMAT(5E16.8)\n  5.53000000E+02  5.53000000E+02  5.53000000E+02\n");
    text.set("BOND_EQUIL_VALUE", "%FORMAT(5E16.8)\n  9.57200000E-01  7.00000000E-01  1.51390000E+00\n");
    text.set("BONDS_INC_HYDROGEN",
             "%FORMAT(10I8)\n       0       3       1       0       6       1       3       6       3\n");
    text.set("BONDS_WITHOUT_HYDROGEN", "%FORMAT(10I8)\n       0       9       2       0      12       2\n");
    text.set("ANGLES_WITHOUT_HYDROGEN", "%FORMAT(10I8)\n\n");
    text.set("DIHEDRALS_INC_HYDROGEN", "%FORMAT(10I8)\n\n");
    text.set("EXCLUDED_ATOMS_LIST",
             "%FORMAT(10I8)\n       2       3       4       5       3       4       5       4       5       5\n"
             "       0\n");
    return text;
}

}  // namespace

TEST_CASE("Extra points of water in a prmtop are virtual sites, and their bonds are no terms") {
    const Topology five = read(five_site_water());
    REQUIRE(five.types.size() == 2);
    const MoleculeType& water = five.types[0];
    CHECK(water.atoms[3].element == 0);
    CHECK(water.bonds.size() == 3);
    CHECK(water.exclusions.size() == 10);
    REQUIRE(water.virtual_sites.size() == 2);
    for (const VirtualSite& site : water.virtual_sites) {
        CHECK(site.kind == SiteKind::out_of_plane);
        CHECK(site.parents == std::vector<int>{0, 1, 2});
        // GROMACS' tip5p.itp: -0.344908262 and 6.4437903493.
        CHECK(site.parameters[0] == Approx(-0.344908262).epsilon(3e-4));
        CHECK(site.parameters[0] == site.parameters[1]);
        CHECK(std::abs(site.parameters[2]) == Approx(6.4437903493).epsilon(3e-4));
    }
    CHECK(water.virtual_sites[0].parameters[2] == -water.virtual_sites[1].parameters[2]);
    // A point with two bonds, and one of an ion.
    PrmtopText lost = five_site_water();
    lost.replace("BONDS_WITHOUT_HYDROGEN", "       0      12       2", "       0       9       2");
    CHECK_THAT(refusal(lost), Contains("MD202") && Contains("atom 4 (EP1)") && Contains("extra point"));
    PrmtopText of_ion = five_site_water();
    of_ion.replace("BONDS_WITHOUT_HYDROGEN", "       0      12       2", "      15      12       2");
    CHECK_THAT(refusal(of_ion), Contains("MD202") && Contains("atom 5 (EP2)"));
    PrmtopText four = five_site_water();
    four.replace("MASS", "  0.00000000E+00\n", "  2.29900000E+01\n");
    four.replace("BONDS_WITHOUT_HYDROGEN", "       0      12       2", "      15      12       2");
    const std::vector<VirtualSite> sites = read(four).types[0].virtual_sites;
    REQUIRE(sites.size() == 1);
    // At 0.7 A from the oxygen, on the bisector.
    CHECK(sites[0].kind == SiteKind::weighted);
    CHECK(sites[0].parameters[1] == Approx(0.5 * 0.7 / std::sqrt(0.9572 * 0.9572 - 0.25 * 1.5139 * 1.5139)));
    CHECK(sites[0].parameters[0] == Approx(1.0 - 2.0 * sites[0].parameters[2]));
}
