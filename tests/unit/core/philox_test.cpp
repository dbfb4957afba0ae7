// SPDX-License-Identifier: Apache-2.0
#include "core/philox.h"

#include <catch2/catch.hpp>

using namespace mdsim;

// Known answers of the Random123 distribution (kat_vectors, philox4x32 10).
TEST_CASE("Philox4x32-10 gives the published numbers") {
    CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) ==
          std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
    const std::uint32_t ones = 0xffffffff;
    CHECK(philox4x32({ones, ones, ones, ones}, {ones, ones}) ==
          std::array<std::uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
    CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
          std::array<std::uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("deviates have the moments that they should have") {
    RandomStream stream(7, RandomPurpose::langevin, 3, 11);
    const int n = 200000;
    double mean = 0.0, variance = 0.0, gamma_mean = 0.0;
    for (int i = 0; i < n; ++i) {
        const double x = stream.normal();
        mean += x / n;
        variance += x * x / n;
        gamma_mean += stream.gamma(2.5) / n;
    }
    CHECK(std::abs(mean) < 0.01);             // 4.5 standard errors
    CHECK(std::abs(variance - 1.0) < 0.015);  // 4.7 standard errors
    CHECK(std::abs(gamma_mean - 2.5) < 0.016);
}
