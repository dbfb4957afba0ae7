// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "io/gromacs_text.h"

using namespace mdsim;
using namespace mdsim::test;

namespace {

double degrees(double d) {
    return d * units::pi / 180.0;
}

}  // namespace

TEST_CASE("GROMACS: molecules, blocks, title and names") {
    const Topology t = read_text(small_force_field + R"(
[ moleculetype ]
Alpha 1
[ atoms ]
1 A 7 LYS CA 1 -0.5 12.5
2 B 7 LYS HA 1 0.5
3 B 8A GLY HN 2
[ moleculetype ]
unused 1
[ atoms ]
1 B 1 X X 1
[ moleculetype ]
Beta 1
[ atoms ]
1 B 1 BB B1 1 0.25
[ system ]
Two kinds  ; of molecules
[ molecules ]
Alpha 2
beta  3   ; another case of letters
Alpha 1
)");
    CHECK(t.title == "Two kinds");
    REQUIRE(t.types.size() == 2);
    REQUIRE(t.blocks.size() == 3);
    CHECK(t.blocks[2].type == 0);
    CHECK(t.blocks[1].count == 3);
    CHECK(t.atoms() == 12);
    CHECK(t.charge() == Approx(0.75));
    const MoleculeType& m = t.types[0];
    REQUIRE(m.atoms.size() == 3);
    CHECK(m.atoms[0].name == "CA");
    CHECK(m.atoms[0].mass == 12.5);
    CHECK(m.atoms[1].mass == 1.0);
    CHECK(m.atoms[2].charge == 0.0);
    CHECK(m.atoms[0].element == 6);
    CHECK(m.atoms[2].element == 1);
    REQUIRE(m.residues.size() == 2);
    CHECK(m.residues[0].name == "LYS");
    CHECK(m.residues[1].number == 8);
    CHECK(m.atoms[2].residue == 1);
    CHECK(t.force_field.source == ForceFieldSource::gromacs);
    CHECK(t.force_field.type_names == std::vector<std::string>{"A", "B"});
}

TEST_CASE("GROMACS: Lennard-Jones by the three combination rules") {
    const auto table = [](const std::string& defaults, const std::string& a, const std::string& b,
                          const std::string& more = "") {
        return read_text("[ defaults ]\n" + defaults + "\n[ atomtypes ]\nA 6 12.0 0.0 A " + a + "\nB 1 1.0 0.0 A " + b +
                         "\n" + more + molecule(2, ""))
            .force_field;
    };
    // c6 = 4 e s^6 and c12 = 4 e s^12; rule 2: s = 0.25, e = sqrt(0.4 * 0.9) = 0.6.
    const ForceField lorentz = table("1 2", "0.3 0.4", "0.2 0.9");
    CHECK(lorentz.pair(0, 0).c6 == Approx(1.6 * std::pow(0.3, 6)));
    CHECK(lorentz.pair(0, 1).c6 == Approx(2.4 * std::pow(0.25, 6)));
    CHECK(lorentz.pair(1, 0).c12 == Approx(2.4 * std::pow(0.25, 12)));
    CHECK(lorentz.pair(0, 1) == lorentz.pair(1, 0));
    // Rule 3: s = sqrt(0.06).
    CHECK(table("LJ GeomSigEps", "0.3 0.4", "0.2 0.9").pair(0, 1).c6 == Approx(2.4 * std::pow(0.06, 3)));
    // Rule 1: the numbers are c6 and c12 themselves.
    const ForceField plain = table("1 1", "4e-3 9e-6", "1e-3 4e-6");
    CHECK(plain.pair(0, 0).c6 == 4e-3);
    CHECK(plain.pair(0, 1).c6 == Approx(2e-3));
    CHECK(plain.pair(0, 1).c12 == Approx(6e-6));
    // An override counts, whatever the order of the names; a negative sigma is repulsion alone.
    const ForceField special = table("1 2", "0.3 0.4", "-0.2 0.9", "[ nonbond_params ]\nB A 1 0.28 0.7\n");
    CHECK(special.pair(0, 1).c6 == Approx(2.8 * std::pow(0.28, 6)));
    CHECK(special.pair(1, 1).c6 == 0.0);
    CHECK(special.pair(1, 1).c12 == Approx(3.6 * std::pow(0.2, 12)));
}

TEST_CASE("GROMACS: columns of [ atomtypes ]") {
    const Topology t = read_text(R"([ defaults ]
1 2
[ atomtypes ]
2C 2Cbonded 12.0 0.1 A 0.3 0.4
_  _bonded 6 13.0 0.2 A 0.3 0.4
4_ 7 14.0 0.3 A 0.3 0.4
5_ 15.99 0.4 A 0.3 0.4
[ bondtypes ]
2Cbonded _bonded 1 0.15 1000
4_ 5_ 1 0.16 2000
[ moleculetype ]
M 1
[ atoms ]
1 2C 1 R A1 1
2 _  1 R A2 1
3 4_ 1 R A3 1
4 5_ 1 R A4 1
[ bonds ]
2 1 1
3 4
[ system ]
x
[ molecules ]
M 1
)");
    const MoleculeType& m = t.types[0];
    CHECK(m.atoms[0].mass == 12.0);
    CHECK(m.atoms[1].element == 6);
    CHECK(m.atoms[2].element == 7);
    CHECK(m.atoms[3].element == 8);  // by its mass
    CHECK(m.atoms[3].charge == 0.4);
    REQUIRE(m.bonds.size() == 2);
    CHECK(m.bonds[0] == Bond{1, 0, 1000, 0.15});
    CHECK(m.bonds[1] == Bond{2, 3, 2000, 0.16});
}

TEST_CASE("GROMACS: bonds, angles and what else a molecule has") {
    const Topology t = read_text(small_force_field + molecule(8, R"([ bonds ]
1 2 1 0.1 2000 0.1 2000
2 3 5
3 4 6 0.2 300
[ constraints ]
4 5 1 0.12
5 6 2 0.13
[ angles ]
1 2 3 1 120 400
2 3 4 5 90 500 0.25 600
3 4 5 1 0 0
[ dihedrals ]
1 2 3 4 1 180 5 2
1 2 3 4 9 60 4 -3
1 2 3 4 4 180 4.5 2
1 2 3 4 2 30 100
1 2 3 4 3 1 2 3 4 5 6
1 2 3 4 5 1 2 3 4
1 2 3 4 9 180 0 2
[ settles ]
6 1 0.1 0.16
[ position_restraints ]
2 1 100 200 300
)"));
    const MoleculeType& m = t.types[0];
    CHECK(m.bonds == std::vector<Bond>{{0, 1, 2000, 0.1}});
    // A harmonic potential is no chemical bond; Urey-Bradley has its formula.
    CHECK(m.urey_bradleys == std::vector<UreyBradley>{{2, 3, 300, 0.2}, {1, 3, 600, 0.25}});
    CHECK(m.connections == std::vector<Exclusion>{{1, 2}, {5, 6}, {5, 7}});
    CHECK(m.constraints == std::vector<Constraint>{{3, 4, 0.12}, {4, 5, 0.13}});
    CHECK(m.settles == std::vector<Settle>{{5, 6, 7, 0.1, 0.16}});
    CHECK(m.position_restraints == std::vector<PositionRestraint>{{1, 100, 200, 300}});
    REQUIRE(m.angles.size() == 2);
    CHECK(m.angles[0].theta0 == Approx(degrees(120)));
    CHECK(m.angles[1].force_constant == 500);
    REQUIRE(m.proper_dihedrals.size() == 2);
    CHECK(m.proper_dihedrals[0] == PeriodicDihedral{0, 1, 2, 3, 2, 5, degrees(180)});
    // cos(-3 phi - 60) = cos(3 phi + 60)
    CHECK(m.proper_dihedrals[1] == PeriodicDihedral{0, 1, 2, 3, 3, 4, degrees(-60)});
    CHECK(m.improper_dihedrals == std::vector<PeriodicDihedral>{{0, 1, 2, 3, 2, 4.5, degrees(180)}});
    CHECK(m.harmonic_impropers == std::vector<HarmonicImproper>{{0, 1, 2, 3, 100, degrees(30)}});
    REQUIRE(m.ryckaert_bellemans.size() == 2);
    CHECK(m.ryckaert_bellemans[0] == RyckaertBellemans{0, 1, 2, 3, {1, 2, 3, 4, 5, 6}});
    // The Fourier form and its powers of cos(phi - pi) must be the same function.
    for (const double phi : {0.0, 0.4, 1.7, 3.0}) {
        const double fourier = 0.5 * (1 * (1 + std::cos(phi)) + 2 * (1 - std::cos(2 * phi)) +
                                      3 * (1 + std::cos(3 * phi)) + 4 * (1 - std::cos(4 * phi)));
        double powers = 0.0;
        for (int n = 0; n < 6; ++n) powers += m.ryckaert_bellemans[1].c[n] * std::pow(std::cos(phi - units::pi), n);
        CHECK(powers == Approx(fourier).margin(1e-12));
    }
}

TEST_CASE("GROMACS: exclusions by bonds, constraints, rigid water and by name") {
    // A chain 1-2-3-4-5 of a bond, a connection, a constraint and a bond; 5-6 is a constraint that is no bond.
    const auto exclusions = [](int nrexcl, const std::string& more = "") {
        return read_text(small_force_field +
                         molecule(6,
                                  "[ bonds ]\n1 2 1 0.1 10\n2 3 5\n4 5 1 0.1 10\n[ constraints ]\n3 4 1 0.1\n"
                                  "5 6 2 0.1\n" +
                                      more,
                                  nrexcl))
            .types[0]
            .exclusions;
    };
    CHECK(exclusions(0).empty());
    CHECK(exclusions(1) == std::vector<Exclusion>{{0, 1}, {1, 2}, {2, 3}, {3, 4}});
    CHECK(exclusions(3) ==
          std::vector<Exclusion>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}});
    CHECK(exclusions(0, "[ exclusions ]\n4 2 6\n6 4\n") == std::vector<Exclusion>{{1, 3}, {3, 5}});
    // Pairs are no exclusions by themselves.
    CHECK(exclusions(0, "[ pairs ]\n1 6\n").empty());
    const Topology water = read_text(small_force_field + molecule(3, "[ settles ]\n1 1 0.1 0.16\n", 2));
    CHECK(water.types[0].exclusions == std::vector<Exclusion>{{0, 1}, {0, 2}, {1, 2}});
}

TEST_CASE("GROMACS: 1-4 pairs") {
    const auto pairs = [](const std::string& force_field, const std::string& lines) {
        return read_text(force_field + molecule(4, "[ pairs ]\n" + lines)).types[0].pairs14;
    };
    // Generated: fudgeLJ times the combination (s = 0.25, e = 0.6), fudgeQQ q q = 0.8 * 0.5 * -0.25.
    const auto generated = pairs(small_force_field, "1 2 1\n1 3 1 0.3 0.7\n1 4 2\n2 3 2 0.9\n2 4 2 0.5 2 3 0.3 0.7\n");
    REQUIRE(generated.size() == 5);
    CHECK(generated[0].lj.c6 == Approx(0.5 * 2.4 * std::pow(0.25, 6)));
    CHECK(generated[0].lj.c12 == Approx(0.5 * 2.4 * std::pow(0.25, 12)));
    CHECK(generated[0].charge_product == Approx(-0.1));
    CHECK(generated[1].lj.c6 == Approx(2.8 * std::pow(0.3, 6)));
    CHECK(generated[1].charge_product == Approx(0.2));
    CHECK(generated[2].charge_product == Approx(-0.1));
    CHECK(generated[3].charge_product == Approx(0.9 * -0.125));
    CHECK(generated[3].lj == generated[0].lj);
    CHECK(generated[4].charge_product == Approx(3.0));
    CHECK(generated[4].lj.c12 == Approx(2.8 * std::pow(0.3, 12)));
    // A table goes before generation; an override of the non-bonded pair is what generation scales.
    const auto listed =
        pairs(small_force_field + "[ pairtypes ]\nB A 1 0.28 0.7\n[ nonbond_params ]\nA A 1 0.26 0.8\n", "1 2\n1 3\n");
    CHECK(listed[0].lj.c6 == Approx(2.8 * std::pow(0.28, 6)));
    CHECK(listed[1].lj.c6 == Approx(0.5 * 3.2 * std::pow(0.26, 6)));
}

TEST_CASE("GROMACS: types of bonds, angles and dihedrals") {
    const Topology t = read_text(small_force_field + R"(
[ bondtypes ]
B A 1 0.11 1100
[ constrainttypes ]
A B 1 0.14
[ angletypes ]
A B A 1 100 300
B A B 5 110 310 0.2 50
[ dihedraltypes ]
X A B X 9 0 1 1
X A B X 9 0 2 2
A B A B 9 0 5 5
A B A B 9 0 6 6
A  B 2 12 200
A  B 3 1 2 3 4 5 6
X X A B 4 180 7 2
)" + molecule(5, R"([ bonds ]
1 2
2 3
[ constraints ]
4 5 1
[ angles ]
1 2 3
2 3 4 5
[ dihedrals ]
1 2 3 4 9
2 3 4 5 1
5 2 3 1 9
3 1 5 2 2
2 3 4 5 3
5 2 1 4 4
)"));
    const MoleculeType& m = t.types[0];
    CHECK(m.bonds == std::vector<Bond>{{0, 1, 1100, 0.11}, {1, 2, 1100, 0.11}});
    CHECK(m.constraints == std::vector<Constraint>{{3, 4, 0.14}});
    REQUIRE(m.angles.size() == 2);
    CHECK(m.angles[1].force_constant == 310);
    CHECK(m.urey_bradleys == std::vector<UreyBradley>{{1, 3, 50, 0.2}});
    // 1-2-3-4 is A B A B: of the lines that fit, those with most types named, both of them; 2-3-4-5 is the same
    // backwards; 5-2-3-1 is A B A A, which only X A B X fits, backwards.
    std::vector<int> multiplicities;
    for (const PeriodicDihedral& d : m.proper_dihedrals) multiplicities.push_back(d.multiplicity);
    CHECK(multiplicities == std::vector<int>{5, 6, 5, 6, 1, 2});
    CHECK(m.harmonic_impropers == std::vector<HarmonicImproper>{{2, 0, 4, 1, 200, degrees(12)}});
    REQUIRE(m.ryckaert_bellemans.size() == 1);
    CHECK(m.ryckaert_bellemans[0].c[5] == 6);
    CHECK(m.improper_dihedrals == std::vector<PeriodicDihedral>{{4, 1, 0, 3, 2, 7, degrees(180)}});
}

TEST_CASE("GROMACS: the preprocessor") {
    const std::string text =
        "#define LENGTH 0.1 ; nm\r\n#define BOTH LENGTH  1500\r\n#ifdef GIVEN\r\n#define K GIVEN\n"
        "#else\n#define K 7\n#ifdef NEVER\n#include \"no_such_file.itp\"\n#else\n#define EXTRA\n"
        "#endif\n#endif\n#include \"ff/main.itp\"\n" +
        molecule(4,
                 "[ bonds ]\n1 2 1 BOTH\n2 3 \\\n  1 LENGTH \\\n K\n#ifdef EXTRA\n3 4 1 0.2 9\n"
                 "#endif\n#undef EXTRA\n#ifndef EXTRA\n1 4 1 0.3 9\n#endif");
    const std::map<std::string, std::string> files{{"ff/main.itp", "#include \"types.itp\"\n"},
                                                   {"ff/types.itp", small_force_field}};
    std::string without_newline = text;
    without_newline.pop_back();
    const Topology plain = read_text(without_newline, files);
    CHECK(plain.types[0].bonds == std::vector<Bond>{{0, 1, 1500, 0.1}, {1, 2, 7, 0.1}, {2, 3, 9, 0.2}, {0, 3, 9, 0.3}});
    const Topology given = read_text(text, files, {.include_path = {}, .define = {"GIVEN=8", "OTHER"}});
    CHECK(given.types[0].bonds == std::vector<Bond>{{0, 1, 1500, 0.1}, {1, 2, 8, 0.1}, {0, 3, 9, 0.3}});
    // A macro is a whole word.
    CHECK(read_text("#define X 3\n#define RE 4\n" + small_force_field + molecule(1, "")).atoms() == 1);
}
