// SPDX-License-Identifier: Apache-2.0
#include "run/convert/frame_choice.h"

#include <vector>

#include <catch2/catch.hpp>

#include "core/error.h"

using namespace mdsim;

namespace {

/// Which of ten frames, 2 ps apart from 4 ps on, are taken.
std::vector<int> taken(const std::string& from, const std::string& to, const std::string& every) {
    FrameChoice range(from, to, every);
    std::vector<int> frames;
    for (int n = static_cast<int>(range.first()); n < 10; ++n) {
        const FrameChoice::Answer answer = range.of(n, 4.0 + 2.0 * n);
        if (answer == FrameChoice::Answer::end) break;
        if (answer == FrameChoice::Answer::take) frames.push_back(n);
    }
    const auto count = range.count(10);
    if (count) CHECK(*count == static_cast<std::int64_t>(frames.size()));
    return frames;
}

}  // namespace

TEST_CASE("frames are chosen by number and by time") {
    using List = std::vector<int>;
    CHECK(taken("", "", "").size() == 10);
    CHECK(taken("3", "5", "") == List{3, 4, 5});
    CHECK(taken("1", "", "4") == List{1, 5, 9});
    CHECK(taken("8 ps", "0.012 ns", "") == List{2, 3, 4});
    CHECK(taken("", "", "5 ps") == List{0, 3, 6, 9});
    CHECK(taken("3", "14 ps", "2") == List{3, 5});
    CHECK(taken("20", "", "").empty());
    CHECK(taken("0", "0", "") == List{0});
}

TEST_CASE("what is no place in a trajectory is refused, all together") {
    try {
        FrameChoice("x", "3 nm", "0");
        FAIL("taken");
    } catch (const Error& error) {
        CHECK(error.problems().size() == 3);
        CHECK_THAT(error.what(), Catch::Matchers::Contains("MD116") && Catch::Matchers::Contains("--every"));
    }
    CHECK_THROWS_AS(FrameChoice("5", "2", ""), Error);
    CHECK_THROWS_AS(FrameChoice("-1", "", ""), Error);
}
