// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <catch2/catch.hpp>

#include "core/units.h"
#include "io/gromacs_text.h"

using namespace mdsim;
using namespace mdsim::test;
using Catch::Contains;

namespace {

double degrees(double angle) {
    return angle * units::pi / 180.0;
}

MoleculeType read_terms(const std::string& text, const std::string& types = "") {
    return read_text(small_force_field + types + molecule(6, text)).types[0];
}

std::string wrong(const std::string& text) {
    return refusal(small_force_field + molecule(6, text));
}

}  // namespace

TEST_CASE("GROMACS: bonds, angles and dihedrals of rare forms") {
    const MoleculeType m = read_terms(R"([ bonds ]
1 2 3 0.1 300 20
2 3 4 0.11 1000 -2
3 4 7 0.5 4000
4 5 10 0.1 0.2 0.3 700
[ angles ]
1 2 3 3 0.1 0.2 50
1 2 3 4 0.1 0.2 0.3 60
1 2 3 6 90 1 2 3 4 5
1 2 3 9 0.4 70
1 2 3 10 60 80
[ dihedrals ]
1 2 3 4 10 60 8
1 2 3 4 11 2 1 2 3 4 5
)");
    CHECK(m.two_atom_terms == std::vector<TwoAtomTerm>{{0, 1, TwoAtomForm::morse, {300, 20, 0.1}},
                                                       {1, 2, TwoAtomForm::cubic, {1000, 0.11, -2}},
                                                       {2, 3, TwoAtomForm::fene, {4000, 0.5}},
                                                       {3, 4, TwoAtomForm::flat_bottomed, {700, 0.1, 0.2, 0.3}}});
    CHECK(m.three_atom_terms ==
          std::vector<ThreeAtomTerm>{{0, 1, 2, ThreeAtomForm::bond_bond, {50, 0.1, 0.2}},
                                     {0, 1, 2, ThreeAtomForm::bond_angle, {60, 0.1, 0.2, 0.3}},
                                     {0, 1, 2, ThreeAtomForm::quartic, {degrees(90), 1, 2, 3, 4, 5}},
                                     {0, 1, 2, ThreeAtomForm::linear, {70, 0.4}},
                                     {0, 1, 2, ThreeAtomForm::restricted, {80, std::cos(degrees(60))}}});
    CHECK(m.four_atom_terms ==
          std::vector<FourAtomTerm>{{0, 1, 2, 3, FourAtomForm::restricted, {8, std::cos(degrees(60))}},
                                    {0, 1, 2, 3, FourAtomForm::bending_torsion, {2, 4, 6, 8, 10}}});
    // The restraint is no chemical bond: atoms 4 and 5 are neither excluded nor drawn as bonded.
    CHECK(m.connections == std::vector<Exclusion>{{0, 1}, {1, 2}, {2, 3}});
    CHECK(m.exclusions.size() == 6);
}

TEST_CASE("GROMACS: rare forms by type") {
    const MoleculeType m = read_terms("[ bonds ]\n1 2 3\n[ angles ]\n1 2 3 10\n[ dihedrals ]\n1 2 3 4 11\n",
                                      "[ bondtypes ]\nB A 3 0.1 300 20\n[ angletypes ]\nA B A 10 90 5\n"
                                      "[ dihedraltypes ]\nA B A B 11 1 1 2 3 4 5\n");
    CHECK(m.two_atom_terms == std::vector<TwoAtomTerm>{{0, 1, TwoAtomForm::morse, {300, 20, 0.1}}});
    CHECK(m.three_atom_terms.size() == 1);
    CHECK(m.four_atom_terms.size() == 1);
}

TEST_CASE("GROMACS: restraints of a topology and pairs by themselves") {
    const MoleculeType m = read_terms(R"([ pairs_nb ]
1 4 1 0.5 -0.4 0.3 0.6
[ angle_restraints ]
1 2 1 4 1 30 40 2
[ angle_restraints_z ]
1 2 1 70 50 1
[ dihedral_restraints ]
1 2 3 4 1 170 5 300
[ distance_restraints ]
1 2 1 0 1 0.1 0.2 0.3 1.5
1 3 1 1 2 0.1 0.2 0.3 1
[ position_restraints ]
1 2 1 0.5 100
2 2 6 -0.4 200
3 1 1 2 3
)");
    REQUIRE(m.plain_pairs.size() == 1);
    CHECK(m.plain_pairs[0].charge_product == -0.2);
    CHECK(m.plain_pairs[0].lj.c6 == Approx(4 * 0.6 * std::pow(0.3, 6)));
    REQUIRE(m.four_atom_terms.size() == 2);
    const FourAtomTerm& angle = m.four_atom_terms[0];
    CHECK(angle.form == FourAtomForm::vector_angle);
    CHECK(angle.p[1] == 2);
    CHECK(angle.p[2] == Approx(-std::cos(degrees(60))));
    CHECK(angle.p[3] == Approx(-std::sin(degrees(60))));
    CHECK(m.four_atom_terms[1] ==
          FourAtomTerm{0, 1, 2, 3, FourAtomForm::flat_bottomed, {300, degrees(170), degrees(5)}});
    REQUIRE(m.two_atom_terms.size() == 3);
    CHECK(m.two_atom_terms[0].form == TwoAtomForm::angle_with_z);
    CHECK(m.two_atom_terms[1] == TwoAtomTerm{0, 1, TwoAtomForm::flat_bottomed, {1500, 0.1, 0.2, 0.3}});
    CHECK(m.flat_position_restraints ==
          std::vector<FlatPositionRestraint>{{0, {1, 1, 1}, false, 0.5, 100}, {1, {0, 1, 1}, true, 0.4, 200}});
    CHECK(m.position_restraints == std::vector<PositionRestraint>{{2, 1, 2, 3}});
}

TEST_CASE("GROMACS: rare forms with parameters that make no sense") {
    for (const char* text :
         {"[ bonds ]\n1 2 7 0 100\n", "[ bonds ]\n1 2 10 0.3 0.2 0.4 100\n", "[ bonds ]\n1 2 3 0.1 300\n",
          "[ angle_restraints ]\n1 2 3 4 1 30 40 1.5\n", "[ angle_restraints ]\n1 1 3 4 1 30 40 1\n",
          "[ angle_restraints ]\n1 2 3 4 1 30 40 1e9\n", "[ dihedral_restraints ]\n1 2 3 4 1 30 -4 10\n",
          "[ pairs_nb ]\n1 2 1 0.1 0.2\n", "[ distance_restraints ]\n1 2 1 0 1 0.3 0.2 0.4 1\n",
          "[ distance_restraints ]\n1 2 1 0.5 1 0.1 0.2 0.4 1\n", "[ position_restraints ]\n1 2 9 0.5 100\n",
          "[ position_restraints ]\n1 2 1.5 0.5 100\n"}) {
        INFO(text);
        CHECK_THAT(wrong(text), Contains("MD224") && Contains("top.top:16"));
    }
}

TEST_CASE("GROMACS: interactions between molecules") {
    const auto system = [](const std::string& between) {
        return small_force_field +
               "[ moleculetype ]\nP 1\n[ atoms ]\n1 A 1 PRO X1 1 0.5\n2 B 2 PRO X2 1 0.5\n[ bonds ]\n1 2 1 0.1 100\n"
               "[ moleculetype ]\nW 1\n[ atoms ]\n1 A 1 WAT O 1 0\n2 B 1 WAT H 1 0\n3 B 1 WAT H 1 0\n"
               "[ settles ]\n1 1 0.1 0.16\n"
               "[ moleculetype ]\nL 1\n[ atoms ]\n1 B 1 LIG L1 1 0\n"
               "[ system ]\nx\n[ molecules ]\nW 4\nP 2\nL 2\nW 3\n[ intermolecular_interactions ]\n" +
               between;
    };
    // Atoms 13 to 16 are the two P, 17 and 18 the two L.
    const Topology t =
        read_text(system("[ bonds ]\n16 17 10 0.2 0.3 0.4 100\n[ dihedral_restraints ]\n"
                         "15 16 17 18 1 60 10 40\n[ bonds ]\n1 2 6 0.1 5\n[ bonds ]\n2 4 6 0.3 7\n"));
    REQUIRE(t.blocks.size() == 5);
    std::vector<int> sizes, counts;
    for (const MoleculeBlock& block : t.blocks) {
        sizes.push_back(t.types[static_cast<std::size_t>(block.type)].size());
        counts.push_back(static_cast<int>(block.count));
    }
    CHECK(sizes == std::vector<int>{6, 3, 2, 4, 3});
    CHECK(counts == std::vector<int>{1, 2, 1, 1, 3});
    CHECK(t.types.size() == 4);
    const MoleculeType& waters = t.types[static_cast<std::size_t>(t.blocks[0].type)];
    CHECK(waters.name == "W+W");
    CHECK(waters.urey_bradleys == std::vector<UreyBradley>{{0, 1, 5, 0.1}, {1, 3, 7, 0.3}});
    CHECK(waters.settles == std::vector<Settle>{{0, 1, 2, 0.1, 0.16}, {3, 4, 5, 0.1, 0.16}});
    CHECK(waters.exclusions.size() == 4);
    const MoleculeType& complex = t.types[static_cast<std::size_t>(t.blocks[3].type)];
    CHECK(complex.bonds == std::vector<Bond>{{0, 1, 100, 0.1}});
    CHECK(complex.two_atom_terms == std::vector<TwoAtomTerm>{{1, 2, TwoAtomForm::flat_bottomed, {100, 0.2, 0.3, 0.4}}});
    REQUIRE(complex.four_atom_terms.size() == 1);
    CHECK(complex.four_atom_terms[0].l == 3);
    CHECK(complex.residues.size() == 4);
    CHECK(complex.atoms[3].residue == 3);
    CHECK(complex.exclusions == std::vector<Exclusion>{{0, 1}});
    CHECK_THAT(refusal(system("[ bonds ]\n1 28 6 0.1 5\n")), Contains("MD224") && Contains("27 atoms"));
    CHECK_THAT(refusal(system("[ bonds ]\n1 x 6 0.1 5\n")), Contains("MD224"));
    CHECK_THAT(refusal(system("[ bonds ]\n1 2 8 0 5\n")), Contains("MD229") && Contains("tabulated"));
    CHECK_THAT(refusal(system("1 2 6 0.1 5\n")), Contains("MD223"));
    CHECK_THAT(refusal(system("[ moleculetype ]\nZ 1\n")), Contains("MD229"));
    CHECK_THAT(refusal(small_force_field + "[ system ]\nx\n[ intermolecular_interactions ]\n[ bonds ]\n1 2 6 1 1\n"),
               Contains("MD223") && Contains("[ molecules ] must come before"));
}
