// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "io/gromacs_text.h"

using namespace mdsim;
using namespace mdsim::test;
using Catch::Contains;

namespace {

/// The message about lines put into a molecule of four atoms; the first of them is line 13.
std::string in_molecule(const std::string& lines) {
    return refusal(small_force_field + molecule(4, lines));
}

}  // namespace

TEST_CASE("GROMACS: what mdsim cannot compute is refused by name, where it is used") {
    const std::vector<std::string> names{"polarization", "thole_polarization", "water_polarization",
                                         "orientation_restraints"};
    for (const std::string& name : names) {
        CHECK_THAT(in_molecule("[ " + name + " ]\n1 2 3 4 1 1\n"), Contains("top.top:13: [ " + name + " ]"));
    }
    for (const char* line : {"[ bonds ]\n1 2 8 0 100\n", "[ bonds ]\n1 2 9 0 100\n", "[ angles ]\n1 2 3 8 0 100\n",
                             "[ dihedrals ]\n1 2 3 4 8 0 100\n"}) {
        CHECK_THAT(in_molecule(line), Contains("top.top:14") && Contains("MD229") && Contains("tabulated"));
    }
    CHECK_THAT(in_molecule("[ distance_restraints ]\n1 2 1 7 1 0.1 0.2 0.3 1\n1 3 1 7 1 0.1 0.2 0.3 1\n"),
               Contains("top.top:15") && Contains("MD229") && Contains("number 7 on several lines"));
    CHECK_THAT(in_molecule("[ bonds ]\n1 2 1 0.1 100 0.1 101\n"), Contains("top.top:14") && Contains("B-state"));
    CHECK_THAT(refusal("[ defaults ]\n2 1\n"), Contains("top.top:2") && Contains("[ defaults ]"));
    for (const char* name : {"constraints", "settles", "cmap", "exclusions", "position_restraints"}) {
        CHECK_THAT(refusal(small_force_field + molecule(2, "") + "[ intermolecular_interactions ]\n[ " + name +
                           " ]\n1 2 1 1 1\n"),
                   Contains("top.top:17") && Contains("MD229") && Contains(name));
    }
    // The same in a molecule that the system does not have is no problem; nor is a table that nothing uses.
    const std::string unused =
        "[ moleculetype ]\nU 1\n[ atoms ]\n1 A 1 U U 1 0 12 B 0 1\n[ polarization ]\n1 2 3 1 1\n";
    CHECK(
        refusal(small_force_field + "[ cmaptypes ]\nA A A A A 1 2 2\\\n1 2 3 4\n" + unused + molecule(2, "")).empty());
}

TEST_CASE("GROMACS: B-state columns of atoms, particles that are no atoms, atoms without mass") {
    const auto atom = [](const std::string& line) {
        return refusal(small_force_field +
                       "V 0 0 V 0 0\nS 8 0 0 S 0 0\nZ 1 0 0 A 0.1 0.1\n[ moleculetype ]\nM 1\n"
                       "[ atoms ]\n" +
                       line + "\n[ system ]\nx\n[ molecules ]\nM 1\n");
    };
    CHECK(atom("1 A 1 R N 1 0.1 12 A 0.1 12").empty());
    CHECK_THAT(atom("1 A 1 R N 1 0.1 12 A 0.2 12"), Contains("top.top:12") && Contains("B-state"));
    CHECK_THAT(atom("1 A 1 R N 1 0.1 12 B"), Contains("B-state"));
    CHECK_THAT(atom("1 V 1 R N 1"), Contains("top.top:12") && Contains("virtual site"));
    CHECK_THAT(atom("1 S 1 R N 1"), Contains("top.top:12") && Contains("particle"));
    CHECK_THAT(atom("1 A 1 R N 1 0.1 12\n2 V 1 R W 1 0 3\n[ virtual_sites1 ]\n2 1 1"),
               Contains("top.top:13") && Contains("W of M has the mass 3"));
    CHECK_THAT(atom("1 Z 1 R N 1"), Contains("top.top:12") && Contains("mass"));
    CHECK_THAT(atom("2 A 1 R N 1"), Contains("top.top:12") && Contains("number 1"));
    CHECK_THAT(atom("1 A 1 R N"), Contains("top.top:12") && Contains("[ atoms ]"));
    CHECK_THAT(atom("1 A 1 R N 1 zero"), Contains("top.top:12") && Contains("\"zero\""));
    CHECK_THAT(atom("1 A 1 R N 1 nan"), Contains("top.top:12") && Contains("\"nan\""));
}

TEST_CASE("GROMACS: virtual sites that cannot be") {
    const auto sites = [](const std::string& lines) {
        return refusal(small_force_field + "V 0 0 V 0 0\n[ moleculetype ]\nM 1\n[ atoms ]\n1 A 1 R X 1\n2 A 1 R Y 1\n" +
                       "3 V 1 R S 1\n4 V 1 R T 1\n" + lines + "[ system ]\nx\n[ molecules ]\nM 1\n");
    };
    const std::string both = "[ virtual_sites2 ]\n3 1 2 1 0.4\n[ dummies2 ]\n4 1 2 2 0.1\n";
    CHECK(sites(both).empty());
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 2 1 0.4\n"), Contains("top.top:13") && Contains("nothing says where"));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 2\n"), Contains("top.top:15") && Contains("and a function"));
    CHECK_THAT(sites("[ virtual_sites3 ]\n3 1 2 4 9 1\n"), Contains("top.top:15") && Contains("unknown function"));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 9 1 0.4\n"), Contains("top.top:15") && Contains("\"9\""));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 1 1 0.4\n"), Contains("top.top:15") && Contains("named twice"));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 2 1 0.4 0.5\n"), Contains("top.top:15") && Contains("2 parameters"));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 2 1 half\n"), Contains("top.top:15") && Contains("\"half\""));
    CHECK_THAT(sites("[ virtual_sites2 ]\n3 1 2 1\n"), Contains("top.top:15") && Contains("without parameters"));
    CHECK_THAT(sites("[ virtual_sitesn ]\n3 4 1 2\n"), Contains("top.top:15") && Contains("function from 1 to 3"));
    CHECK_THAT(sites("[ virtual_sitesn ]\n3 3 1 0.5 2\n"), Contains("top.top:15") && Contains("weight"));
    CHECK_THAT(sites("[ virtual_sitesn ]\n3 3 1 0.5 2 -0.5\n"), Contains("top.top:15") && Contains("sum to nothing"));
    CHECK_THAT(sites(both + "[ virtual_sites1 ]\n3 1 1\n"), Contains("top.top:19") && Contains("second time"));
    CHECK_THAT(sites("[ virtual_sites1 ]\n3 4 1\n4 3 1\n"), Contains("from itself"));
    CHECK_THAT(sites(both + "[ constraints ]\n1 3 2 0.1\n"), Contains("[ constraints ]") && Contains("virtual site"));
}

TEST_CASE("GROMACS: broken lines name file, line and directive") {
    CHECK_THAT(in_molecule("[ bonds ]\n1 5 1 0.1 9\n"), Contains("top.top:14") && Contains("[ bonds ]: \"5\""));
    CHECK_THAT(in_molecule("[ bonds ]\n1 1 1 0.1 9\n"), Contains("named twice"));
    CHECK_THAT(in_molecule("[ bonds ]\n1 2 77\n"), Contains("unknown function"));
    CHECK_THAT(in_molecule("[ bonds ]\n1 2 1 0.1\n"), Contains("1 parameters"));
    CHECK_THAT(in_molecule("[ bonds ]\n1 2 1 0.1 UNDEFINED\n"), Contains("\"UNDEFINED\" is not a number"));
    CHECK_THAT(in_molecule("[ angles ]\n1 2 3 1\n"), Contains("top.top:14") && Contains("no parameters"));
    CHECK_THAT(in_molecule("[ settles ]\n3 1 0.1 0.16\n"), Contains("hydrogens"));
    CHECK_THAT(in_molecule("[ bnods ]\n"), Contains("[ bnods ]") && Contains("did you mean [ bonds ]"));
    CHECK_THAT(in_molecule("[ bonds\n"), Contains("top.top:13"));
    CHECK_THAT(in_molecule("[ bondtypes ]\n"), Contains("out of place"));
    CHECK_THAT(in_molecule("[ dihedrals ]\n1 2 3 4 1 0 5 2.5\n"), Contains("multiplicity"));
    CHECK_THAT(refusal("[ bonds ]\n"), Contains("top.top:1") && Contains("out of place"));
    CHECK_THAT(refusal("oops\n"), Contains("top.top:1") && Contains("before the first"));
    CHECK_THAT(refusal(small_force_field + "Q 6 12.0 A 0.3\n"), Contains("top.top:6") && Contains("[ atomtypes ]"));
    CHECK_THAT(refusal(small_force_field + "A 6 12.0 0.0 A 0.5 0.4\n"), Contains("second time"));
    CHECK_THAT(refusal(small_force_field + "[ bondtypes ]\nA Q 1 0.1 9\n"), Contains("top.top:7") && Contains("\"Q\""));
    CHECK_THAT(refusal(small_force_field + molecule(1, "") + "M x\n"), Contains("[ molecules ]"));
    CHECK_THAT(refusal(small_force_field + molecule(1, "") + "W 1\n"), Contains("no moleculetype called \"W\""));
    // Many problems are told together, but not thousands of them.
    std::string many = "[ bonds ]\n";
    for (int n = 0; n < 100; ++n) many += "1 9 1\n";
    const std::string told = in_molecule(many);
    CHECK_THAT(told, Contains("top.top:14") && Contains("top.top:15") && Contains("and 80 more"));
}

TEST_CASE("GROMACS: gen-pairs off and pairs without numbers") {
    const std::string plain =
        "[ defaults ]\n1 2 no\n" + small_force_field.substr(small_force_field.find("[ atomtypes"));
    CHECK_THAT(refusal(plain + molecule(2, "[ pairs ]\n1 2 1\n")), Contains("top.top:12") && Contains("[ pairs ]"));
}

TEST_CASE("GROMACS: preprocessor errors name the file they are in") {
    CHECK_THAT(refusal("#include \"a.itp\"\n", {{"a.itp", "\n#ifdef X\n[ defaults ]\n"}}),
               Contains("a.itp:2") && Contains("not closed"));
    CHECK_THAT(refusal("#include \"a.itp\"\n", {{"a.itp", "#include \"b.itp\"\n"}, {"b.itp", "#include \"a.itp\"\n"}}),
               Contains("b.itp:1") && Contains("never ends"));
    CHECK_THAT(refusal("#include \"a.itp\"\n", {{"a.itp", "; x\n#include \"gone.itp\"\n"}}),
               Contains("a.itp:2") && Contains("gone.itp") && Contains("searched in"));
    CHECK_THAT(refusal("#include \"a.itp\"\n", {{"a.itp", small_force_field + "Z 1\n"}}), Contains("a.itp:6"));
    CHECK_THAT(refusal("#endif\n"), Contains("top.top:1") && Contains("#endif without"));
    CHECK_THAT(refusal("#ifdef X\n#else\n#else\n#endif\n"), Contains("top.top:3") && Contains("second #else"));
    CHECK_THAT(refusal("#pragma once\n"), Contains("top.top:1") && Contains("#pragma"));
    CHECK_THAT(refusal("#error too old\n"), Contains("too old"));
    CHECK_THAT(refusal("#define P Q\n#define Q P\n[ defaults ]\nP 2\n"),
               Contains("top.top:4") && Contains("without end"));
    CHECK_THAT(refusal(std::string("[ defaults ]\n1 2\n\0\n", 19)), Contains("top.top:3") && Contains("NUL"));
    CHECK_THAT(refusal("<!DOCTYPE html>\n"), Contains("top.top:1") && Contains("HTML"));
    CHECK_THAT(refusal(""), Contains("no molecules"));
    CHECK_THROWS_WITH(read_gromacs_topology("no_such.top", {}),
                      Contains("no_such.top") && Contains("cannot be opened"));
}
