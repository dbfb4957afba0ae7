// SPDX-License-Identifier: Apache-2.0
#include "system/preparation/constraint_choice.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "integrate/systems.h"
#include "system/preparation/atom_names.h"

using namespace mdsim;
using namespace mdsim::test;

TEST_CASE("water becomes rigid by bonds or by bonds and angle") {
    MoleculeType bent = flexible_water();
    bent.bonds.pop_back();
    bent.angles = {{1, 0, 2, 836.8, 104.52 * units::pi / 180.0}};
    Topology t = topology({flexible_water(), bent, constrained_water()}, {2, 3, 1});
    choose_constraints(t, ConstraintChoice::water);
    for (const MoleculeType& type : t.types) {
        REQUIRE(type.settles.size() == 1);
        CHECK(type.bonds.empty());
        CHECK(type.angles.empty());
        CHECK(type.constraints.empty());
        CHECK(type.settles[0].oh == 0.09572);
        CHECK(type.settles[0].hh == Approx(0.15139).epsilon(1e-4));
        CHECK(type.connections.size() == 2);
    }
    CHECK(degrees_of_freedom(t, ComRemoval::yes, {}) == 6 * 6 - 3);
}

TEST_CASE("water is recognised without atomic numbers and with other masses") {
    MoleculeType type = flexible_water();
    for (Atom& a : type.atoms) a.element = 0;
    type.atoms[0].mass = 11.968;
    type.atoms[1].mass = type.atoms[2].mass = 3.024;
    CHECK(is_water(type));
    type.atoms[0].element = 6;  // guessed from its mass
    CHECK(is_water(type));
    type.atoms[0] = atom("C", 6, 11.968);
    CHECK(!is_water(type));
}

TEST_CASE("Morse and cubic bonds to hydrogen are fixed, other terms of two atoms are left alone") {
    MoleculeType type = ethyl();
    type.bonds.clear();
    const TwoAtomTerm restraint{0, 3, TwoAtomForm::flat_bottomed, {100.0, 0.1, 0.2, 0.3}};
    const TwoAtomTerm heavy{0, 4, TwoAtomForm::morse, {300.0, 20.0, 0.15}};
    type.two_atom_terms = {{1, 0, TwoAtomForm::morse, {300.0, 20.0, 0.109}},
                           restraint,
                           {0, 2, TwoAtomForm::cubic, {2e5, 0.108, -10.0}},
                           heavy};
    Topology t = topology({type}, {1});
    choose_constraints(t, ConstraintChoice::hydrogen_bonds);
    CHECK(t.types[0].constraints == std::vector<Constraint>{{1, 0, 0.109}, {0, 2, 0.108}});
    CHECK(t.types[0].two_atom_terms == std::vector<TwoAtomTerm>{restraint, heavy});
}

TEST_CASE("hydrogen bonds are fixed, others are left alone") {
    Topology t = topology({ethyl(), flexible_water()}, {2, 1});
    SECTION("hydrogen bonds") {
        choose_constraints(t, ConstraintChoice::hydrogen_bonds);
        CHECK(t.types[0].constraints == std::vector<Constraint>{{1, 0, 0.109}, {0, 2, 0.109}, {0, 3, 0.109}});
        CHECK(t.types[0].bonds.size() == 1);
        CHECK(t.types[1].settles.size() == 1);
        CHECK(degrees_of_freedom(t, ComRemoval::no, {}) == 2 * (15 - 3) + 6);
        std::vector<unsigned char> frozen(13, 0);
        frozen[0] = frozen[1] = 1;  // a carbon and one of its hydrogens
        CHECK(degrees_of_freedom(t, ComRemoval::yes, frozen) == 2 * (15 - 3) + 6 - 6 + 1);
    }
    SECTION("all bonds") {
        choose_constraints(t, ConstraintChoice::all_bonds);
        CHECK(t.types[0].constraints ==
              std::vector<Constraint>{{1, 0, 0.109}, {0, 2, 0.109}, {0, 3, 0.109}, {0, 4, 0.1526}});
        CHECK(t.types[0].bonds.empty());
        CHECK(t.types[0].connections.size() == 4);
        CHECK(t.types[1].settles.size() == 1);
        CHECK(degrees_of_freedom(t, ComRemoval::no, {}) == 2 * (15 - 4) + 6);
    }
    SECTION("water alone") {
        choose_constraints(t, ConstraintChoice::water);
        CHECK(t.types[0] == ethyl());
        CHECK(t.types[1].settles.size() == 1);
    }
    SECTION("none") {
        choose_constraints(t, ConstraintChoice::none);
        CHECK(t.types[0] == ethyl());
        CHECK(t.types[1] == flexible_water());
    }
}

TEST_CASE("bonds of GROMOS to hydrogen are fixed like any others") {
    MoleculeType gromos = ethyl();
    for (const Bond& bond : gromos.bonds) gromos.g96_bonds.push_back({bond.i, bond.j, 1e7, bond.r0});
    gromos.bonds.clear();
    Topology t = topology({gromos, ethyl()}, {1, 1});
    choose_constraints(t, ConstraintChoice::hydrogen_bonds);
    CHECK(t.types[0].constraints == t.types[1].constraints);
    CHECK(t.types[0].g96_bonds.size() == 1);
}

TEST_CASE("water that is rigid by its file stays rigid, and the log says so") {
    Topology t = topology({rigid_water()}, {1});
    const auto lines = choose_constraints(t, ConstraintChoice::none);
    CHECK(t.types[0] == rigid_water());
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find("stays rigid") != std::string::npos);
}

TEST_CASE("four-site water is made rigid as three-site water is, and its site has no degree of freedom") {
    MoleculeType four = flexible_water();
    four.atoms.insert(four.atoms.begin() + 1, atom("M", 0, 0.0));
    four.bonds = {{0, 2, 462750.4, 0.09572}, {0, 3, 462750.4, 0.09572}, {2, 3, 462750.4, 0.15139}};
    four.virtual_sites = {{1, SiteKind::weighted, {0, 2, 3}, {0.8, 0.1, 0.1}}};
    Topology t = topology({four}, {5});
    CHECK(is_water(t.types[0]));
    CHECK(degrees_of_freedom(t, ComRemoval::no, {}) == 45);
    choose_constraints(t, ConstraintChoice::hydrogen_bonds);
    CHECK(t.types[0].settles == std::vector<Settle>{{0, 2, 3, 0.09572, 0.15139}});
    CHECK(degrees_of_freedom(t, ComRemoval::yes, {}) == 27);
    // A bond to a hydrogen that is a site is no constraint, and no mass moves to it.
    MoleculeType methyl = ethyl();
    methyl.atoms[1].mass = 0.0;
    methyl.virtual_sites = {{1, SiteKind::along, {0, 4}, {0.109, 1.0}}};
    Topology m = topology({methyl}, {1});
    CHECK(repartition_hydrogen_mass(m, 2.0) == 2);
    CHECK(m.types[0].atoms[1].mass == 0.0);
    choose_constraints(m, ConstraintChoice::hydrogen_bonds);
    CHECK(m.types[0].constraints.size() == 2);
}

TEST_CASE("hydrogen mass comes from the heavy atom, water keeps its own") {
    Topology t = topology({ethyl(), flexible_water()}, {1, 1});
    const double before = t.mass();
    CHECK(repartition_hydrogen_mass(t, 3.0) == 3);
    CHECK(t.types[0].atoms[1].mass == 3.0);
    CHECK(t.types[0].atoms[0].mass == Approx(12.01 - 3 * (3.0 - 1.008)).epsilon(1e-14));
    CHECK(t.types[0].atoms[4].mass == 12.01);
    CHECK(t.types[1] == flexible_water());
    CHECK(t.mass() == Approx(before).epsilon(1e-14));
    CHECK_THROWS_AS(repartition_hydrogen_mass(t, 5.0), Error);
}

TEST_CASE("atoms are named by residue, number and molecule") {
    const Topology t = topology({ethyl(), flexible_water()}, {1, 3});
    const AtomNames names(t);
    CHECK(names.describe(3) == "residue ETH 7, atom H13 (number 4 of the input, molecule ETH)");
    CHECK(names.describe(9) == "residue WAT 3, atom H1 (number 10 of the input, molecule WAT)");
}
