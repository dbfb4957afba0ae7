// SPDX-License-Identifier: Apache-2.0
#include "io/structure/amber_restart.h"

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io/scratch_file.h"
#include "reference_data.h"

using namespace mdsim;
using Catch::Matchers::Contains;

namespace {

const std::string positions3 =
    "   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n"
    "   7.0000000   8.0000000   9.0000000\n";
const std::string box_line = "  30.0000000  31.0000000  32.0000000  90.0000000  90.0000000  90.0000000\n";

Structure read(const std::string& text, std::int64_t expected = -1) {
    return read_amber_restart(ScratchFile("hand.rst7", text).path(), expected);
}

std::string refusal(const std::string& text, std::int64_t expected = -1) {
    try {
        read(text, expected);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A restart: positions, velocities and box by the number of lines") {
    const std::string head = "title\n    3  0.1000000E+02\n";
    const Structure bare = read(head + positions3);
    CHECK(bare.title == "title");
    CHECK(bare.time == 10.0);
    REQUIRE(bare.x.size() == 3);
    CHECK(bare.x[2].z == Approx(0.9));
    CHECK(bare.v.empty());
    CHECK_FALSE(bare.box.periodic());

    const Structure with_box = read(head + positions3 + box_line + "\n");
    CHECK(with_box.v.empty());
    CHECK(with_box.box.rows()[1].y == Approx(3.1));

    const Structure both = read(head + positions3 + positions3 + box_line, 3);
    REQUIRE(both.v.size() == 3);
    CHECK(both.v[0].x == Approx(2.0455));
    CHECK(both.box.periodic());
}

TEST_CASE("With one or two atoms the values tell a box from velocities") {
    const std::string head = "two\n    2\n   1.0000000   2.0000000   3.0000000   4.0000000   5.0000000   6.0000000\n";
    CHECK(read(head + box_line).box.periodic());
    CHECK(read(head + box_line).v.empty());
    const Structure moving = read(head + "   0.1000000  -0.2000000   0.3000000   0.4000000   0.5000000   0.6000000\n");
    CHECK(moving.v.size() == 2);
    CHECK_FALSE(moving.box.periodic());
}

TEST_CASE("Broken restarts are refused with line and column") {
    const std::string head = "title\n    3\n";
    CHECK_THAT(refusal("title\n    9\n" + positions3), Contains(":2:1:") && Contains("9 atoms"));
    CHECK_THAT(refusal(head + positions3, 5), Contains("the topology has 5"));
    std::string letter = head + positions3;
    letter.replace(letter.find("5.0"), 3, "5.l");
    CHECK_THAT(refusal(letter), Contains(":3:54:") && Contains("5.l000000"));
    std::string stars = head + positions3;
    stars.replace(stars.find("   8.0000000"), 12, "************");
    CHECK_THAT(refusal(stars), Contains(":4:13:"));
    CHECK_THAT(refusal(head + positions3 + positions3 + positions3), Contains("4 lines follow"));
    CHECK_THAT(refusal("title\nx\n"), Contains(":2:1:"));
    CHECK_THAT(refusal(std::string("title\n\0\n", 8)), Contains("binary"));
    CHECK_THAT(refusal(head + positions3 + box_line.substr(0, 36) + "\n"),
               Contains(":5:37:") && Contains("no angles") && Contains("109.4712190"));
    std::string flat = head + positions3 + box_line;
    flat.replace(flat.find("  31.0"), 6, " -31.0");
    CHECK_THAT(refusal(flat), Contains("no box"));
}

TEST_CASE("Restarts of AMBER itself, as text and as NetCDF, hold the same") {
    const auto folder = reference_data("AMBER restarts of the reference data");
    if (!folder) return;
    const Structure netcdf = read_amber_restart(*folder / "amber_jac_dhfr/JAC.inpcrd", 23558);
    const Structure text = read_amber_restart(*folder / "amber_jac_dhfr/JAC.ascii.rst7", 23558);
    REQUIRE(netcdf.x.size() == text.x.size());
    double largest = 0.0;
    for (std::size_t i = 0; i < text.x.size(); ++i) largest = std::max(largest, norm(netcdf.x[i] - text.x[i]));
    CHECK(largest < 1e-7);  // text has 7 decimals of an Angstrom
    CHECK(netcdf.v.size() == 23558);
    CHECK(netcdf.box.rows()[0].x == Approx(text.box.rows()[0].x));
    // facts.json of oddfiles: Angstrom/ps.
    const Structure odd = read_amber_restart(*folder / "oddfiles/files/ncinpcrd.rst7");
    CHECK(odd.v[0].x == Approx(-0.2875656).epsilon(1e-6));
    CHECK(odd.x[0].y == Approx(0.66276251));
    const Structure octahedron = read_amber_restart(*folder / "oddfiles/files/crds_vels_box.rst7");
    CHECK(octahedron.v[0].x == Approx(1.6019121).epsilon(1e-6));
    CHECK(octahedron.box.rows()[2].x < 0.0);
}
