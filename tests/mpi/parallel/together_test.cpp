// SPDX-License-Identifier: Apache-2.0
#include "parallel/together.h"

#include <catch2/catch.hpp>

#include "world.h"

using namespace mdsim;

TEST_CASE("what one rank throws all throw") {
    const int n = world().size(), last = n - 1;
    const auto thrown = [&](int from, int to) -> std::optional<Error> {
        try {
            together(world(), [&] {
                const int rank = world().rank();
                if (rank < from || rank > to) return;
                throw Error(ExitCode::unstable, {Problem{.code = "MD551",
                                                         .place = {"a.inp", 3, 14},
                                                         .what = "rank " + std::to_string(rank),
                                                         .why = "two\nlines"},
                                                 Problem{.code = "MD552", .remedy = "try"}});
            });
        } catch (const Error& error) {
            return error;
        }
        return std::nullopt;
    };
    const auto nothing = thrown(n, n), one = thrown(last, last), several = thrown(last / 2, last);
    CHECK(!nothing);
    REQUIRE(one);
    CHECK(one->exit_code() == ExitCode::unstable);
    REQUIRE(one->problems().size() == 2);
    CHECK(one->problems()[0].place.file == "a.inp");
    CHECK(one->problems()[0].place.column == 14);
    CHECK(one->problems()[0].what == "rank " + std::to_string(last));
    CHECK(one->problems()[0].why == "two\nlines");
    CHECK(one->problems()[1].code == "MD552");
    CHECK(one->problems()[1].remedy == "try");
    REQUIRE(several);
    CHECK(several->problems()[0].what == "rank " + std::to_string(last / 2));
}
