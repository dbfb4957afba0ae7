// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/scratch_file.h"
#include "io/structure/cif.h"
#include "io/structure/pdb.h"
#include "io/structure/structure_file.h"

using namespace mdsim;
using Catch::Matchers::Contains;

namespace {

Structure read(const std::string& name, const std::string& text) {
    return read_structure(ScratchFile(name, text).path());
}

std::string refusal(const std::string& name, const std::string& text) {
    try {
        read(name, text);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

const std::string water =
    "CRYST1   30.000   31.000   32.000  90.00  90.00  90.00 P 1           1\n"
    "HETATM    1  O   HOH W9999       1.000   2.000   3.000  1.00  0.00           O\n"
    "HETATM    2  H1  HOH W9999       4.000   5.000  -6.000  1.00  0.00           H\n"
    "HETATM*****  O   HOH WA000       7.000   8.000   9.000\n";

const std::string mmcif =
    "data_x\n_cell.length_a 30\n_cell.length_b 31.5(2)\n_cell.length_c 32\n_cell.angle_alpha 90\n"
    "_cell.angle_beta 90\n_cell.angle_gamma 90\nloop_\n_atom_site.id\n_atom_site.label_atom_id\n"
    "_atom_site.label_comp_id\n_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
    "_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.label_alt_id\n_atom_site.pdbx_PDB_model_num\n"
    "1 CA ALA A 1 1.0 2.0 3.0 . 1\n2 \"O5'\" ALA A 1 4.0 5.0 6.0 . 1\n";

}  // namespace

TEST_CASE("PDB: columns, hybrid-36 numbers, the box of CRYST1") {
    const Structure s = read("w.pdb", water);
    REQUIRE(s.x.size() == 3);
    CHECK(s.x[1].z == Approx(-0.6));
    CHECK(s.labels[0].atom == "O");
    CHECK(s.labels[0].residue == "HOH");
    CHECK(s.labels[0].residue_number == 9999);
    CHECK(s.labels[2].residue_number == 10000);
    CHECK(s.labels[0].chain == "W");
    CHECK(s.box.rows()[1].y == Approx(3.1));
    std::string none = water;
    none.replace(none.find("   30.000   31.000   32.000"), 27, "    1.000    1.000    1.000");
    CHECK_FALSE(read("w.pdb", none).box.periodic());
}

TEST_CASE("PDB: the order of atoms is that of the file, even where residue numbers come again") {
    std::string text;
    for (int n = 0; n < 3; ++n) {
        text += "ATOM      1  A" + std::to_string(n) + "  HOH W   1       1.000   2.000   3.000\n";
        text += "ATOM      1  B" + std::to_string(n) + "  HOH W   2       1.000   2.000   3.000\n";
    }
    const Structure s = read("order.pdb", text);
    REQUIRE(s.labels.size() == 6);
    CHECK(s.labels[2].atom == "A1");
    CHECK(s.labels[5].atom == "B2");
}

TEST_CASE("PDB: the first model only, and how many there are") {
    CHECK(read("m.pdb", water + "END\n").frames == 1);
    CHECK(read("m.pdb", "MODEL        1\n" + water + "ENDMDL\nMODEL        2\n" + water + "ENDMDL\nEND\n").frames == 2);
    CHECK(read("m.pdb", "MODEL 1\n" + water + "MODEL 2\n" + water + "TER\nENDMDL\nMODEL 3\n" + water).frames == 3);
    CHECK(read("m.pdb", "MODEL        1\n" + water + "ENDMDL\nMODEL        2\n" + water + "ENDMDL\nEND\n").x.size() ==
          3);
    CHECK(read("m.pdb", "MODEL        1\n" + water + "MODEL        2\n" + water).x.size() == 3);
}

TEST_CASE("PDB: what is broken is refused with line and column") {
    std::string stars = water;
    stars.replace(stars.find("   5.000"), 8, "********");
    CHECK_THAT(refusal("w.pdb", stars), Contains(":3:39:") && Contains("y coordinate"));
    CHECK_THAT(refusal("w.pdb", water + "ATOM      4  O   HOH W   2       7.000\n"), Contains(":5:39:"));
    CHECK_THAT(refusal("w.pdb", "REMARK nothing\n"), Contains("no atoms"));
    CHECK_THAT(refusal("w.pdb", "\xff\xfe A"), Contains("UTF-16"));
    std::string letter = water;
    letter.replace(letter.find("31.000"), 6, "31.0l0");
    CHECK_THAT(refusal("w.pdb", letter), Contains(":1:") && Contains("CRYST1"));
    const std::string alternates =
        "ATOM      1  CA AALA A   1       1.000   2.000   3.000\n"
        "ATOM      2  CA BALA A   1       1.000   2.000   3.000\n";
    CHECK_THAT(refusal("w.pdb", alternates), Contains(":2:17:") && Contains("alternate locations A and B"));
}

TEST_CASE("mmCIF: atoms, quotes, cell") {
    const Structure s = read("x.cif", mmcif);
    REQUIRE(s.x.size() == 2);
    CHECK(s.labels[1].atom == "O5'");
    CHECK(s.labels[0].residue == "ALA");
    CHECK(s.labels[0].residue_number == 1);
    CHECK(s.x[1].x == Approx(0.4));
    CHECK(s.box.rows()[1].y == Approx(3.15));
}

TEST_CASE("mmCIF: what is broken is refused") {
    CHECK_THAT(refusal("x.cif", mmcif + "3 CB ALA A 1 1.0 2.0\n"), Contains("x.cif:") && Contains("loop"));
    CHECK_THAT(refusal("x.cif", mmcif + "3 CB ALA A 1 1.0 2,0 3.0 . 1\n"), Contains("Cartn_y of atom 3"));
    CHECK_THAT(refusal("x.cif", mmcif + "3 CB ALA A 1 1.0 2.0 3.0 . 2\n"), Contains("model 1 has 2 atoms"));
    CHECK_THAT(refusal("x.cif", mmcif + "3 CB ALA A 1 1 2 3 A 1\n4 CB ALA A 1 1 2 3 B 1\n"),
               Contains("alternate locations A and B"));
    CHECK_THAT(refusal("x.cif", "data_x\nloop_\n_atom_site_fract_x\n0.1\n"), Contains("small-molecule"));
    CHECK_THAT(refusal("x.cif", "hello\n"), Contains("not a CIF"));
}

TEST_CASE("Formats are told apart by name and beginning; what is not read is named") {
    CHECK_THAT(refusal("x.crd", "* CHARMM title\n*\n    1\n"), Contains("MD351"));
    CHECK(read("x.crd", "title\n    1\n   1.0000000   2.0000000   3.0000000\n").x.size() == 1);
    CHECK_THAT(refusal("x.doc", "hello"), Contains("does not end as a coordinate file"));
    CHECK(read("X.PDB", water).x.size() == 3);
    CHECK_THROWS_AS(read_structure("no_such_file.pdb"), Error);
}
