// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "core/units.h"
#include "io/scratch_file.h"
#include "io/structure/structure_file.h"
#include "io/topology/charmm/topology_reader.h"
#include "io_charmm/charmm_text.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;
using Catch::Matchers::Contains;
using charmm_text::prm;
using charmm_text::psf;
using charmm_text::with;

namespace {

constexpr double kcal = 4.184, degree = units::pi / 180.0;

/// A file of a system: its name and what it holds.
struct File {
    std::string name, content;
};

/// Topology and notes of a PSF with parameter files in a folder.
struct Read {
    Topology topology;
    std::string notes;

    Read(const std::string& psf_text, const std::vector<File>& parameters, const std::vector<File>& others = {}) {
        const TemporaryFolder folder;
        std::vector<std::filesystem::path> names;
        const auto write = [&](const File& file) {
            std::filesystem::create_directories((folder.path() / file.name).parent_path());
            std::ofstream(folder.path() / file.name, std::ios::binary) << file.content;
        };
        write({"a.psf", psf_text});
        for (const File& file : others) write(file);
        for (const File& file : parameters) {
            write(file);
            names.push_back(folder.path() / file.name);
        }
        std::vector<std::string> lines;
        topology = read_charmm_topology(folder.path() / "a.psf", names, lines);
        for (const std::string& line : lines) notes += line + "\n";
    }
    const MoleculeType& chain() const { return topology.types.at(0); }
};

std::string refusal(const std::string& psf_text, const std::vector<File>& parameters) {
    try {
        Read(psf_text, parameters);
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        CHECK_FALSE(error.problems().front().remedy.empty());
        return error.what();
    }
    return "no error";
}

std::string refusal_of_parameters(const std::string& old, const std::string& now) {
    return refusal(psf, {{"a.prm", with(prm, old, now)}});
}

void check_lj(const LjParameters& lj, double depth, double distance) {
    CHECK(lj.c6 == Approx(2 * depth * kcal * std::pow(0.1 * distance, 6)));
    CHECK(lj.c12 == Approx(depth * kcal * std::pow(0.1 * distance, 12)));
}

}  // namespace

TEST_CASE("CHARMM: a system made by hand has the terms that its numbers say") {
    const Read read(psf, {{"a.prm", prm}});
    const Topology& topology = read.topology;
    CHECK(topology.title == "* a chain");
    REQUIRE(topology.types.size() == 3);
    REQUIRE(topology.blocks.size() == 3);
    CHECK(topology.blocks[1].count == 2);
    CHECK(topology.force_field.source == ForceFieldSource::charmm);
    const MoleculeType& m = read.chain();
    REQUIRE(m.size() == 5);
    REQUIRE(m.bonds.size() == 4);
    CHECK(m.connections.empty());
    CHECK(m.bonds[0].k == Approx(2 * 200.0 * kcal * 100));
    CHECK(m.bonds[2].r0 == Approx(0.12));
    REQUIRE(m.angles.size() == 3);
    CHECK(m.angles[0].force_constant == Approx(2 * 50.0 * kcal));
    CHECK(m.angles[1].theta0 == Approx(120 * degree));
    REQUIRE(m.urey_bradleys.size() == 1);
    CHECK(m.urey_bradleys[0] == UreyBradley{0, 2, 2 * 10.0 * kcal * 100, 0.25});
    REQUIRE(m.proper_dihedrals.size() == 3);
    CHECK(m.proper_dihedrals[0].multiplicity == 1);
    CHECK(m.proper_dihedrals[1].force_constant == Approx(0.5 * kcal));
    CHECK(m.proper_dihedrals[1].phase == Approx(180 * degree));
    CHECK(m.proper_dihedrals[2].force_constant == Approx(2.0 * kcal));  // X CM OX X
    REQUIRE(m.harmonic_impropers.size() == 1);
    CHECK(m.harmonic_impropers[0].force_constant == Approx(2 * 30.0 * kcal));  // A-X-X-D comes before X-B-C-D
}

TEST_CASE("CHARMM: pairs by bonds, 1-4 parameters, E14FAC and NBFIX") {
    const Read read(psf, {{"a.prm", prm}});
    const MoleculeType& m = read.chain();
    CHECK(m.exclusions.size() == 9);  // all pairs of five but the ends
    REQUIRE(m.pairs14.size() == 2);
    CHECK(m.pairs14[0].j == 3);
    CHECK(m.pairs14[0].charge_product == Approx(0.5 * 0.1 * -0.5));
    check_lj(m.pairs14[0].lj, std::sqrt(0.05 * 0.12), 1.9 + 1.4);
    check_lj(m.pairs14[1].lj, std::sqrt(0.2 * 0.046), 2.1 + 0.2245);
    const ForceField& field = read.topology.force_field;
    const auto type = [&](const char* name) {
        return static_cast<int>(std::find(field.type_names.begin(), field.type_names.end(), name) -
                                field.type_names.begin());
    };
    REQUIRE(field.types() == 6);
    check_lj(field.pair(type("CT"), type("OX")), std::sqrt(0.10 * 0.12), 2.0 + 1.7);
    check_lj(field.pair(type("CLA"), type("POT")), 0.114236, 4.081);
    check_lj(field.pair(type("POT"), type("POT")), 0.087, 2 * 1.76375);
    const Read geometric(psf, {{"a.prm", with(prm, "nbxmod 5", "geom nbxmod 5")}});
    check_lj(geometric.topology.force_field.pair(type("CT"), type("OX")), std::sqrt(0.10 * 0.12),
             2 * std::sqrt(2.0 * 1.7));
    const Read near(psf, {{"a.prm", with(prm, "POT OZ -0.5 3.0", "CT OX -0.3 3.3 -0.2 3.1")}});
    check_lj(near.chain().pairs14[0].lj, 0.2, 3.1);
    check_lj(near.topology.force_field.pair(type("CT"), type("OX")), 0.3, 3.3);
}

TEST_CASE("CHARMM: impropers in the order of preference, in both directions, and periodic ones") {
    const auto improper = [](const std::string& lines) {
        return Read(psf, {{"a.prm", with(prm, "X CM CM OX 40.0 0 5.0\nOX X X CT 30.0 0 0.0\n", lines)}});
    };
    const std::string all[] = {"X X CM OX 1 0 0\n", "X CM CM X 2 0 0\n", "X CM CM OX 3 0 0\n", "CT X X OX 4 0 0\n",
                               "OX CM CM CT 5 0 0\n"};
    std::string lines;
    for (int n = 0; n < 5; ++n) {
        lines += all[n];
        CHECK(improper(lines).chain().harmonic_impropers.at(0).force_constant == Approx(2 * (n + 1) * kcal));
    }
    CHECK(improper("OX CM X X 7 0 0\n").chain().harmonic_impropers.at(0).force_constant == Approx(14 * kcal));
    const Read periodic = improper("CT CM CM OX 1.1 2 180\n");
    CHECK(periodic.chain().harmonic_impropers.empty());
    CHECK(periodic.chain().improper_dihedrals.at(0).multiplicity == 2);
    CHECK_THAT(refusal_of_parameters("OX X X CT", "OX X CM X"), Contains("MD233") && Contains("wild cards"));
}

TEST_CASE("CHARMM: cross-terms have the map of their eight types") {
    const std::string cross =
        with(psf, "0 !NCRTERM: cross-terms\n",
             "1 !NCRTERM: cross-terms\n       1       2       3       4       2       3       4       5\n");
    std::string map = "CMAP\nOX CM CM CT CM CM OX HX 4\n";
    for (int n = 0; n < 16; ++n) map += std::to_string(n) + ".5\n";
    const Read read(cross, {{"a.prm", with(prm, "NONBONDED", map + "NONBONDED")}});
    REQUIRE(read.topology.force_field.cmap_grids.size() == 1);
    CHECK(read.topology.force_field.cmap_grids[0].energy[6] == Approx(6.5 * kcal));
    REQUIRE(read.chain().cmaps.size() == 1);
    CHECK(read.chain().cmaps[0] == Cmap{{0, 1, 2, 3, 1, 2, 3, 4}, 0});
    CHECK_THAT(refusal(cross, {{"a.prm", prm}}), Contains("MD234") && Contains("CMAP"));
}

TEST_CASE("CHARMM: exclusions of !NNB are kept") {
    const Read read(with(psf, "       0 !NNB\n\n       0       0       0       0       0       0       0       0",
                         "       1 !NNB\n       5\n       1       1       1       1       1       1       1       1"),
                    {{"a.prm", prm}});
    CHECK(read.chain().exclusions.size() == 10);
}

TEST_CASE("CHARMM: later files override earlier ones, and the log says so") {
    const std::string more =
        "* more\n*\nBONDS\nCM CT 250.0 1.5\nCM CM 300.0 1.4\nDIHEDRALS\nCT CM CM OX 0.7 2 0.0\nEND\n";
    const Read read(psf, {{"a.prm", prm}, {"b.prm", more}});
    CHECK(read.chain().bonds[0].k == Approx(2 * 250.0 * kcal * 100));
    REQUIRE(read.chain().proper_dihedrals.size() == 2);
    CHECK(read.chain().proper_dihedrals[0].multiplicity == 2);
    CHECK_THAT(read.notes,
               Contains("b.prm replaces what was read before of 1 bond; the first, line 4: CM CT 250.0 1.5"));
    CHECK_THAT(read.notes, Contains("1 dihedral;"));
    CHECK_THAT(read.notes, Contains("HBOND is not used"));
    const Read same(psf, {{"a.prm", prm}, {"b.prm", prm}});
    CHECK_THAT(same.notes, !Contains("replaces"));
    CHECK(same.chain().proper_dihedrals.size() == 3);
}

TEST_CASE("CHARMM: streams with several parts, conditions and a box") {
    const std::string stream =
        "* a stream\n*\nset nat ?NATC\nset app\nif \"@NAT\" ne \"?NATC\" if @nat ne 0 set app append\n"
        "read rtf card @app\n* title\n*\n36 1\nMASS -1 CT 12.011 C\nRESI CHN 0.0\nATOM A CT 0.1\nEND\n"
        "READ PARA CARD FLEX @{app}\n* title\n*\n" +
        prm.substr(prm.find("ATOMS"), prm.find("END\n") - prm.find("ATOMS")) +
        "end\nread para card append\n* more\n*\nNBFIX\nPOT CLA -0.2 4.0\nEND\nset a = 20.0\nset B @a\nSET C = "
        "30\nreturn\n"
        "nonsense\n";
    const Read read(psf, {{"a.str", stream}});
    check_lj(read.topology.force_field.pair(4, 5), 0.2, 4.0);
    CHECK(read.topology.file_box.volume() == Approx(2.0 * 2.0 * 3.0));
    CHECK_THAT(read.notes, Contains("NBFIX pair; the first, line"));
    CHECK_THAT(refusal(psf, {{"a.str", with(stream, "SET C = 30", "SET C = 30\nset gamma 120")}}),
               Contains("MD235") && Contains("angles"));
    CHECK_THAT(refusal(psf, {{"a.str", with(stream, "set app append", "goto end")}}),
               Contains("MD235") && Contains("a.str:5") && Contains("goto"));
    CHECK_THAT(refusal(psf, {{"a.str", with(stream, "SET C = 30", "energy")}}),
               Contains("MD235") && Contains("energy"));
}

TEST_CASE("CHARMM: streams that name files") {
    const std::vector<File> files{{"toppar/a.prm", prm}};
    const Read listed(psf, {{"toppar.str", "toppar/a.prm\n"}}, files);
    CHECK(listed.chain().bonds.size() == 4);
    const std::string script =
        "* all files\n*\nopen read card unit 20 name toppar/a.prm\nread para card unit 20 flex\n";
    CHECK(Read(psf, {{"toppar.str", script}}, files).chain().bonds.size() == 4);
    CHECK(Read(psf, {{"b.str", "stream toppar/a.prm\n"}}, files).chain().bonds.size() == 4);
    CHECK_THAT(refusal(psf, {{"toppar.str", "toppar/absent.prm\n"}}),
               Contains("MD233") && Contains("toppar.str:1:1") && Contains("absent.prm"));
    CHECK_THAT(refusal(psf, {{"b.str", "stream b.str\n"}}), Contains("without end"));
}

TEST_CASE("CHARMM: types of a PSF as numbers of lines MASS") {
    std::string numbers = psf;
    for (const auto& [name, number] :
         {std::pair{"A    CT ", "A    1  "}, std::pair{"B    CM ", "B    2  "}, std::pair{"C    CM ", "C    2  "},
          std::pair{"D    OX ", "D    3  "}, std::pair{"E    HX ", "E    4  "}, std::pair{"POT    1.0", "5      1.0"},
          std::pair{"POT    1.0", "5      1.0"}, std::pair{"CLA   -1.0", "6     -1.0"}}) {
        numbers = with(numbers, name, number);
    }
    const std::string rtf =
        "* masses\n*\n36 1\nMASS 1 CT 12.011 C\nMASS 2 CM 12.011\nMASS 3 OX 15.9994\nMASS -1 HX 1.008\n"
        "MASS 5 POT 39.0983\nMASS 6 CLA 35.45\nMASS 5 OTHER 14.0\n\nRESI CHN 0\nBOND A B\nEND\n";
    const Read read(numbers, {{"a.rtf", rtf}, {"a.prm", prm}});
    CHECK(read.chain().bonds[3].k == Approx(2 * 500.0 * kcal * 100));
    CHECK_THAT(refusal(numbers, {{"a.prm", prm}}), Contains("MD234") && Contains("MASS"));
    CHECK_THAT(refusal(numbers, {{"a.rtf", with(rtf, "OTHER 14.0", "OTHER 39.0983")}, {"a.prm", prm}}),
               Contains("OTHER and of POT"));
}

TEST_CASE("CHARMM: what is missing is reported together") {
    const std::string text =
        refusal(psf, {{"a.prm", with(with(with(prm, "HX OX 500.0 0.96\n", ""), "X CM OX X 2.0 2 180.0", ""),
                                     "CLA 0.0 -0.150 2.27", "")}});
    CHECK_THAT(text,
               Contains("MD234") && Contains("a.psf:16") && Contains("bond OX HX") && Contains("D 4, E 5 of CHN 1"));
    CHECK_THAT(text, Contains("dihedral CM CM OX HX") && Contains("Lennard-Jones type CLA"));
    CHECK_THAT(refusal_of_parameters("CM OX HX 55.0 104.0\n", ""), Contains("angle CM OX HX"));
    CHECK_THAT(refusal_of_parameters("X CM CM OX 40.0 0 5.0\nOX X X CT 30.0 0 0.0\n", ""),
               Contains("improper CT CM CM OX"));
    CHECK_THAT(refusal(psf, {}), Contains("MD234") && Contains("system.parameters"));
}

TEST_CASE("CHARMM: malformed parameter files are refused by line and column") {
    CHECK_THAT(refusal_of_parameters("HX OX 500.0", "HX OX 5O0.0"), Contains("a.prm:16:7") && Contains("5O0.0"));
    CHECK_THAT(refusal_of_parameters("HX OX 500.0 0.96", "HX OX 500.0"), Contains("MD233") && Contains("3 words"));
    CHECK_THAT(refusal_of_parameters("110.0 10.0 2.5", "110.0 10.0"), Contains("6 words"));
    CHECK_THAT(refusal_of_parameters("1.0 1 0.0", "1.0 1.5 0.0"), Contains("whole number"));
    CHECK_THAT(refusal_of_parameters("1.0 1 0.0", "1.0 -1 0.0"), Contains("below zero"));
    CHECK_THAT(refusal_of_parameters("X CM CM X 9.0", "X CM X X 9.0"), Contains("wild cards"));
    CHECK_THAT(refusal_of_parameters("ATOMS", "ATOM S"), Contains("MD233"));
    CHECK_THAT(refusal_of_parameters("e14fac 0.5 wmin 1.5", "e14fac"), Contains("a number is due"));
    CHECK_THAT(refusal_of_parameters("MASS 31 CT", "MASS CT"), Contains("MASS"));
    CHECK_THAT(refusal(psf, {{"a.prm", "BONDS\nCT CM -"}}), Contains("a.prm:2") && Contains("goes on"));
    CHECK_THAT(refusal(psf, {{"a.prm", "* nothing\n*\n"}}), Contains("nothing but comments"));
    CHECK_THAT(refusal(psf, {{"a.prm", "CMAP\nA B C D B C D E 4\n1 2 3\n\nEND\n"}}), Contains("3 numbers, 16 are due"));
    CHECK_THAT(refusal(psf, {{"a.prm", "CMAP\nA B C D B C D E 4\n1 2 3 4 5 6 7 8 9\n1 2 3 4 5 6 7 8 9\n"}}),
               Contains("more numbers"));
}

TEST_CASE("CHARMM: what mdsim does not compute is refused by name") {
    CHECK_THAT(refusal(with(psf, "E    HX ", "E    DRUD"), {{"a.prm", prm}}),
               Contains("MD235") && Contains("a.psf:11") && Contains("Drude"));
    CHECK_THAT(refusal(with(psf, "0       0 !NUMLP", "1       4 !NUMLP"), {{"a.prm", prm}}),
               Contains("MD235") && Contains("lone pairs"));
    CHECK_THAT(refusal_of_parameters("nbxmod 5", "nbxmod 4"), Contains("MD235") && Contains("nbxmod 4"));
    CHECK_THAT(refusal_of_parameters("cdiel", "rdiel"), Contains("MD235") && Contains("rdiel"));
    CHECK_THAT(refusal_of_parameters("cdiel", "eps 2.0"), Contains("MD235") && Contains("eps 2.0"));
    CHECK_THAT(refusal_of_parameters("CT 0.0 -0.10", "CT 0.0 0.10"), Contains("MD235") && Contains("above zero"));
    CHECK_THAT(refusal_of_parameters("POT OZ", "POT O*"), Contains("MD235") && Contains("O*"));
    CHECK_THAT(refusal_of_parameters("BONDS", "read sequence card\nBONDS"), Contains("MD235") && Contains("SEQUENCE"));
}

TEST_CASE("CHARMM: coordinates, standard and EXT, by blanks and by columns") {
    const auto read = [](const std::string& text) { return read_structure(ScratchFile("a.crd", text).path()); };
    const Structure standard = read(
        "* title\n*\n    2\n    1    1 ARG  N    -10.40100   2.28100  11.33300 4HOG 60A    0.57000\n"
        "    2    1 ARG  HT1 -109.74129-102.69706-110.64505 4HOG 1      0.00000\n");
    REQUIRE(standard.x.size() == 2);
    CHECK(standard.title == "title");
    CHECK(standard.x[0].x == Approx(-1.0401));
    CHECK(standard.x[1].z == Approx(-11.064505));
    CHECK(standard.labels[0].atom == "N");
    CHECK(standard.labels[0].residue_number == 60);
    CHECK(standard.labels[0].insertion == 'A');
    CHECK(standard.labels[1].atom == "HT1");
    CHECK(standard.labels[1].chain == "4HOG");
    CHECK_FALSE(standard.box.periodic());
    const Structure extended = read(
        "*\n         1  EXT\n         1         1  CYT       H5T             9.2932028107       10.8307655966       "
        "18.0403805565            1               0.0000000000\n");
    CHECK(extended.x[0].z == Approx(1.80403805565));
    CHECK(extended.labels[0].atom == "H5T");
    const auto refuse = [&](const std::string& text) {
        try {
            read(text);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    CHECK_THAT(refuse("* t\n*\n    2\n    1    1 ARG  N    -10.40100   2.28100  11.33300 4HOG 1      0.57000\n"),
               Contains("MD351") && Contains("a.crd:3") && Contains("2 atoms are announced, 1 found"));
    CHECK_THAT(refuse("* t\n*\n    1\n    1    1 ARG  N    -10.4O100   2.28100  11.33300 4HOG 1      0.57000\n"),
               Contains("a.crd:4:22") && Contains("10.4O100"));
    CHECK_THAT(refuse("* t\n*\n"), Contains("MD351") && Contains("ends where"));
    CHECK_THAT(refuse("* t\n*\nx\n"), Contains("the number of atoms is due"));
    const std::string line = "    1    1 ARG  N    -10.40100   2.28100  11.33300 4HOG 1      0.57000\n";
    CHECK_THAT(refuse("* t\n*\n    1\n" + line + line), Contains("more lines"));
}
