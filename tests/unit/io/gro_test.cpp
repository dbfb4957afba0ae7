// SPDX-License-Identifier: Apache-2.0
#include "io/structure/gro.h"

#include <fstream>

#include <catch2/catch.hpp>

#include "core/error.h"
#include "io_output/temporary_folder.h"

using namespace mdsim;
using Catch::Contains;

namespace {

Structure read_text(const std::string& text) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "a.gro", std::ios::binary) << text;
    return read_gro(folder.path() / "a.gro");
}

std::string refusal(const std::string& text) {
    try {
        read_text(text);
    } catch (const Error& error) {
        CHECK(error.exit_code() == ExitCode::input_error);
        return error.what();
    }
    return {};
}

const std::string atom = "    7LYS     CA   12   1.250  -0.125  12.375";
const std::string fast = atom + "  0.5000 -1.2500  0.0625";
const std::string box = "   2.00000   3.00000   4.00000\n";

}  // namespace

TEST_CASE(".gro: columns, velocities, title, line ends") {
    const Structure s = read_text("Protein t= 12.5 step= 3\r\n 2\r\n" + fast + "\r\n" + atom + "\r\n" + box);
    REQUIRE(s.x.size() == 2);
    CHECK(s.x[1] == Vec3d{1.25, -0.125, 12.375});
    REQUIRE(s.v.size() == 2);
    CHECK(s.v[0] == Vec3d{0.5, -1.25, 0.0625});
    CHECK(s.v[1] == Vec3d{});  // has none: zero, as in GROMACS
    CHECK(s.labels[0].atom == "CA");
    CHECK(s.labels[0].residue == "LYS");
    CHECK(s.labels[0].residue_number == 7);
    CHECK(s.time == 12.5);
    CHECK(s.title == "Protein t= 12.5 step= 3");
    CHECK(s.box == Box::rectangular(2, 3, 4));
    CHECK(read_text("x\n1\n" + atom + "\n" + box.substr(0, box.size() - 1)).v.empty());
}

TEST_CASE(".gro: wider columns, touching numbers and boxes") {
    const Structure wide = read_text("x\n1\n    7LYS     CA   12   1.250001  -0.125002  12.375003\n" + box);
    CHECK(wide.x[0] == Vec3d{1.250001, -0.125002, 12.375003});
    CHECK(read_text("x\n1\n    7LYS     CA   12-101.250-100.125 112.375\n" + box).x[0] ==
          Vec3d{-101.25, -100.125, 112.375});
    const auto box_of = [](const std::string& line) { return read_text("x\n1\n" + atom + "\n" + line + "\n").box; };
    CHECK(box_of("40000.0000050000.0000060000.00000") == Box::rectangular(40000, 50000, 60000));
    CHECK(box_of("5 5 4 0 0 1 0 2 -1.5") == Box::from_rows({Vec3d{5, 0, 0}, Vec3d{1, 5, 0}, Vec3d{2, -1.5, 4}}));
    CHECK_FALSE(box_of("0 0 0").periodic());
}

TEST_CASE(".gro: several frames") {
    const TemporaryFolder folder;
    const std::string frame = "x\n1\n" + atom + "\n" + box;
    std::ofstream(folder.path() / "a.gro") << frame << frame << frame << "\n\n";
    CHECK(count_gro_frames(folder.path() / "a.gro") == 3);
    CHECK(read_gro(folder.path() / "a.gro").x.size() == 1);
}

TEST_CASE(".gro: broken files name line and column") {
    CHECK_THAT(refusal(""), Contains("empty"));
    CHECK_THAT(refusal("x\n"), Contains(":2") && Contains("number of atoms"));
    CHECK_THAT(refusal("x\nmany\n"), Contains(":2") && Contains("\"many\""));
    CHECK_THAT(refusal("x\n-1\n"), Contains(":2"));
    CHECK_THAT(refusal("x\n9999999999999\n" + atom + "\n"), Contains(":4") && Contains("ends after 1 of"));
    CHECK_THAT(refusal("x\n2\n" + atom + "\n" + box), Contains(":4") && Contains("1 of the 2 atoms"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n" + atom + "\n" + box), Contains(":4") && Contains("box"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n"), Contains(":4") && Contains("box line is missing"));
    CHECK_THAT(refusal("x\n1\n\n" + box), Contains(":3") && Contains("empty line"));
    CHECK_THAT(refusal("x\n1\n    7LYS     CA   12   1.250     nan  12.375\n" + box),
               Contains(":3:29") && Contains("nan"));
    CHECK_THAT(refusal("x\n1\n    7LYS     CA   12   1.250  -0.1x5  12.375\n" + box), Contains(":3:29"));
    CHECK_THAT(refusal("x\n1\n" + atom + "  0.5000\n" + box), Contains(":3:53") && Contains("velocity"));
    CHECK_THAT(refusal("x\n1\n" + fast + " more\n" + box), Contains(":3:69"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n 2 3\n"), Contains(":4") && Contains("2 numbers"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n 2 3 inf\n"), Contains(":4:6"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n 2 -3 4\n"), Contains("positive"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n 2 3 4 1 0 0 0 0 0\n"), Contains(":4") && Contains("vectors"));
    CHECK_THAT(refusal("x\n1\n" + atom + "\n" + box + "left over\n"), Contains(":6"));
    CHECK_THROWS_WITH(read_gro("no_such.gro"), Contains("no_such.gro") && Contains("no such file"));
}

TEST_CASE(".gro: what was written is read again") {
    const TemporaryFolder folder;
    Structure out;
    out.title = "Two atoms";
    out.time = 2.5;
    out.x = {{1.25, -0.125, 12.375}, {0.0625, 3, 4}};
    out.v = {{0.5, -1.25, 0.0625}, {0, 0, 1}};
    out.labels = {{"CA", "LYS", 7, ""}, {"OW", "SOL", 99999, ""}};
    out.box = Box::from_rows({Vec3d{5, 0, 0}, Vec3d{1, 5, 0}, Vec3d{2, -1.5, 4}});
    write_gro(folder.path() / "a.gro", out, 5);
    const Structure in = read_gro(folder.path() / "a.gro");
    CHECK(in.x == out.x);
    CHECK(in.v == out.v);
    CHECK(in.box == out.box);
    CHECK(in.time == 2.5);
    CHECK(in.labels[1].residue_number == 99999);
    CHECK_THROWS_WITH(write_gro(folder.path() / "none" / "a.gro", out), Contains("cannot be written"));
}
