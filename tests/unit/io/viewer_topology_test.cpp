// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/scratch_file.h"
#include "io/structure/pdb.h"
#include "io/topology/pdb_writer.h"
#include "io/topology/psf_writer.h"

using namespace mdsim;
using Catch::Matchers::Contains;

namespace {

Topology water_and_ion() {
    Topology topology;
    topology.title = "two waters, one ion";
    topology.force_field.type_names = {"OW", "HW", "Cl-"};
    MoleculeType water;
    water.name = "water";
    water.residues = {{"SOL", 1, ""}};
    water.atoms = {{"OW", 0, 8, 0, -0.8, 16.0}, {"HW1", 1, 1, 0, 0.4, 1.008}, {"HW2", 1, 1, 0, 0.4, 1.008}};
    water.settles = {{0, 1, 2, 0.1, 0.16}};
    MoleculeType ion;
    ion.name = "Cl ion";
    ion.residues = {{"CL", 1, ""}};
    ion.atoms = {{"CL", 2, 17, 0, -1.0, 35.45}};
    topology.types = {water, ion};
    topology.blocks = {{0, 2}, {1, 1}};
    return topology;
}

std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("A written PDB reads back with names, positions and box") {
    const ScratchFile scratch("out.pdb", "");
    const std::vector<Vec3d> x = {{0.1, 0.2, 0.3}, {0.15, 0.2, 0.3}, {0.1, 0.25, 0.3}, {-1.2345, 99.0, 0},
                                  {1234.56, 0, 0}, {0, 0, 0},        {1, 1, 1}};
    const Box box = Box::from_lengths_angles({3.0, 3.0, 3.0}, {109.4712190, 109.4712190, 109.4712190});
    write_pdb_topology(scratch.path(), water_and_ion(), x, box);
    const Structure back = read_pdb(scratch.path());
    REQUIRE(back.x.size() == 7);
    CHECK(back.labels[1].atom == "HW1");
    CHECK(back.labels[3].residue_number == 2);
    CHECK(back.labels[6].residue == "CL");
    CHECK(back.x[3].x == Approx(-1.2345).margin(1e-4));
    CHECK(back.x[4].x == Approx(1234.56).margin(0.01));
    CHECK(back.box.volume() == Approx(box.volume()).epsilon(1e-3));
    CHECK(back.title == "two waters, one ion");
    // The element stands in columns 77 and 78; names of one-letter elements begin in column 14.
    CHECK_THAT(content(scratch.path()),
               Contains("ATOM      1  OW  SOL     1       1.000   2.000   3.000  1.00  0.00           O"));
    CHECK_THAT(content(scratch.path()), Contains("ATOM      7 CL   CL      3"));
}

TEST_CASE("A written PSF has every atom, and the bonds of rigid water") {
    const ScratchFile scratch("out.psf", "");
    write_psf(scratch.path(), water_and_ion());
    const std::string text = content(scratch.path());
    CHECK_THAT(text, Contains("         7 !NATOM") && Contains("         4 !NBOND: bonds"));
    CHECK_THAT(text, Contains("         1         2         1         3         4         5         4         6\n"));
    CHECK_THAT(text, Contains("Cl_ion") && Contains("35.4500"));
}

TEST_CASE("Where a topology for viewers cannot be written, the file is named") {
    // The link to a device that is full stands where the file is written before it gets its name.
    const ScratchFile scratch("full.psf", "as it was");
    const std::filesystem::path fresh = scratch.path().string() + ".new";
    std::filesystem::create_symlink("/dev/full", fresh);
    try {
        write_psf(scratch.path(), water_and_ion());
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::io_error);
        CHECK_THAT(error.what(), Contains("full.psf") && Contains("space"));
    }
    CHECK(content(scratch.path()) == "as it was");
    CHECK_FALSE(std::filesystem::is_symlink(fresh));
    CHECK_THROWS_AS(write_psf("/no/such/folder/x.psf", water_and_ion()), Error);
}
