// SPDX-License-Identifier: Apache-2.0
#include "io/text/fixed_number.h"

#include <cmath>
#include <random>

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace mdsim;

TEST_CASE("numbers with a fixed number of digits are those of fmt") {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> size(-8, 12), sign(-1, 1);
    std::vector<double> values{0.0, -0.0, 0.0005, 1.0005, -2.5, 0.5, 1.5, 99999.9995, -1e-9, 1e300, NAN, -INFINITY};
    for (int n = 0; n < 20000; ++n) {
        values.push_back(std::copysign(std::pow(10.0, size(random)), sign(random)));
        values.push_back(std::round(values.back() * 2000) / 2000);  // near a half of a thousandth
    }
    for (const double value : values) {
        for (const int decimals : {0, 1, 3, 4, 5, 12}) {
            for (const int width : {0, 8}) {
                std::string text = "x";
                append_fixed(text, value, width, decimals);
                REQUIRE(text == fmt::format("x{:{}.{}f}", value, width, decimals));
            }
        }
    }
}
