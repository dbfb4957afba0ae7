// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "io/gromacs_text.h"

using namespace mdsim;
using namespace mdsim::test;
using Catch::Contains;

namespace {

const std::string grids = R"([ cmaptypes ]
A B A B A 1 2 2\
1 2 3 4
B A B A B 1 3 3\
1 2 3\
4 5 6\
7 8 9.5
A B A B A 1 1 1 99
)";

std::string with_cmaps(const std::string& types, const std::string& lines) {
    return small_force_field + types + molecule(6, "[ cmap ]\n" + lines);
}

}  // namespace

TEST_CASE("GROMACS: correction maps and their grids") {
    const Topology t = read_text(with_cmaps(grids, "2 3 4 5 6 1\n1 2 3 4 5 1\n"));
    // The first grid that fits counts; only grids in use are kept, in the order of their use.
    REQUIRE(t.force_field.cmap_grids.size() == 2);
    CHECK(t.force_field.cmap_grids[0] == CmapGrid{3, {1, 2, 3, 4, 5, 6, 7, 8, 9.5}});
    CHECK(t.force_field.cmap_grids[1] == CmapGrid{2, {1, 2, 3, 4}});
    CHECK(t.types[0].cmaps == std::vector<Cmap>{Cmap::of_five(1, 2, 3, 4, 5, 0), Cmap::of_five(0, 1, 2, 3, 4, 1)});
    CHECK(Cmap::of_five(0, 1, 2, 3, 4, 1).atoms == std::array<int, 8>{0, 1, 2, 3, 1, 2, 3, 4});
}

TEST_CASE("GROMACS: grids by residue") {
    const std::string types =
        "[ cmaptypes ]\nA-* B-GLY A-GLY B-GLY A-* 1 1 1 5\nA-* B-RES A-RES B-RES A-* 1 1 1 7\nA B A B A 1 1 1 9\n";
    const Topology t = read_text(with_cmaps(types, "1 2 3 4 5 1\n"));
    REQUIRE(t.force_field.cmap_grids.size() == 1);
    CHECK(t.force_field.cmap_grids[0].energy == std::vector<double>{7});
}

TEST_CASE("GROMACS: what is wrong with correction maps is said") {
    const auto types = [](const std::string& line) { return refusal(with_cmaps("[ cmaptypes ]\n" + line + "\n", "")); };
    CHECK_THAT(types("A B A B A 1 2 2 1 2 3"), Contains("MD224") && Contains("top.top:7") && Contains("3 energies"));
    CHECK_THAT(types("A B A B A 1 2 1 1 2"), Contains("MD224") && Contains("2 x 1"));
    CHECK_THAT(types("A B A B A 1 0 0"), Contains("MD224") && Contains("0 x 0"));
    CHECK_THAT(types("A B A B A 1 1 1 x"), Contains("MD224") && Contains("\"x\""));
    CHECK_THAT(types("A B A B A 2 1 1 1"), Contains("MD225"));
    CHECK_THAT(types("A B A B Z 1 1 1 1"), Contains("MD226") && Contains("\"Z\""));
    CHECK_THAT(types("A B A B A"), Contains("MD224"));
    const auto lines = [](const std::string& line) { return refusal(with_cmaps(grids, line + "\n")); };
    CHECK_THAT(lines("1 2 3 4 6 1"), Contains("MD230") && Contains("[ cmap ]") && Contains("X6 (B)"));
    CHECK_THAT(lines("1 2 3 4 5 2"), Contains("MD224"));
    CHECK_THAT(lines("1 2 3 4 5"), Contains("MD224"));
    CHECK_THAT(lines("1 2 3 4 5 1 7"), Contains("MD224"));
    CHECK_THAT(lines("1 2 3 4 7 1"), Contains("MD224") && Contains("\"7\""));
    CHECK_THAT(lines("1 2 3 4"), Contains("MD224"));
}
