// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "io/input/keys/quantity.h"

using namespace mdsim::inp;

namespace {

double value_of(const char* text, Dimension dimension) {
    QuantityFault fault;
    const auto value = parse_quantity(text, dimension, internal_unit(dimension), fault);
    INFO(text << ": " << fault.what);
    REQUIRE(value.has_value());
    return *value;
}

QuantityFault fault_of(const char* text, Dimension dimension) {
    QuantityFault fault;
    INFO(text);
    CHECK(!parse_quantity(text, dimension, internal_unit(dimension), fault).has_value());
    return fault;
}

}  // namespace

TEST_CASE("quantities are converted to the last bit", "[input]") {
    CHECK(value_of("0.9 nm", Dimension::length) == 0.9);
    CHECK(value_of("9 A", Dimension::length) == 0.9);
    CHECK(value_of("12 A", Dimension::length) == 1.2);
    CHECK(value_of(" 1e-3  nm ", Dimension::length) == 1e-3);
    CHECK(value_of("+2um", Dimension::length) == 2000.0);
    CHECK(value_of("2 fs", Dimension::time) == 0.002);
    CHECK(value_of("1 ns", Dimension::time) == 1000.0);
    CHECK(value_of("1 us", Dimension::time) == 1e6);
    CHECK(value_of("15 min", Dimension::wall_time) == 900.0);
    CHECK(value_of("1 atm", Dimension::pressure) == 1.01325);
    CHECK(value_of("0.1 MPa", Dimension::pressure) == 1.0);
    CHECK(value_of("-5 K", Dimension::temperature) == -5.0);
}

TEST_CASE("compound units are known", "[input]") {
    CHECK(value_of("1 kcal/mol", Dimension::energy) == 4.184);
    CHECK(value_of("1 kcal/mol/A", Dimension::force) == Approx(41.84).epsilon(1e-15));
    CHECK(value_of("1 kcal / mol / A ^ 2", Dimension::spring) == Approx(418.4).epsilon(1e-15));
    CHECK(value_of("1 kJ/mol/nm^2", Dimension::spring) == 1.0);
    // One degree squared is (pi/180)^2 = 3.04617419786709e-4 rad^2.
    CHECK(value_of("1 kJ/mol/deg^2", Dimension::angular_spring) == Approx(1.0 / 3.04617419786709e-4).epsilon(1e-13));
    CHECK(value_of("3.12 /nm", Dimension::inverse_length) == 3.12);
    CHECK(value_of("0.312 /A", Dimension::inverse_length) == Approx(3.12).epsilon(1e-15));
    CHECK(value_of("3.12 nm^-1", Dimension::inverse_length) == 3.12);
    CHECK(value_of("1/ps", Dimension::inverse_time) == 1.0);
    CHECK(value_of("4.5e-5 /bar", Dimension::compressibility) == 4.5e-5);
    CHECK(value_of("138.935457644 kJ nm/mol/e^2", Dimension::coulomb_constant) == 138.935457644);
    CHECK(value_of("332.0716 kcal A/mol/e^2", Dimension::coulomb_constant) == Approx(138.93875744).epsilon(1e-12));
    CHECK(value_of("0.5 V/nm", Dimension::electric_field) == 0.5);
    CHECK(value_of("2 e", Dimension::charge) == 2.0);
}

TEST_CASE("a wrong unit is answered with the right spelling", "[input]") {
    CHECK(fault_of("0.9", Dimension::length).suggestion == "0.9 nm");
    CHECK(fault_of("0.9 NM", Dimension::length).suggestion == "0.9 nm");
    CHECK(fault_of("9 \xc3\x85", Dimension::length).suggestion == "9 A");
    CHECK(fault_of("300 k", Dimension::temperature).suggestion == "300 K");
    CHECK(fault_of("10 mpa", Dimension::pressure).suggestion == "10 MPa");
    CHECK(fault_of("2 ps", Dimension::length).what == "'2 ps' is a time, not a length");
    CHECK(fault_of("2 furlong", Dimension::length).what == "the unit 'furlong' is not known");
    CHECK(!fault_of("two nm", Dimension::length).unit);
    for (const char* text :
         {"", " ", "nm", "inf nm", "nan nm", "1e999 nm", "--1 nm", "+-1 nm", "0x10 nm", "1 2 nm", "1,5 nm"}) {
        fault_of(text, Dimension::length);
    }
}

TEST_CASE("every unit of the table can be read by its own spelling", "[input]") {
    for (const Unit& unit : all_units()) {
        CHECK(value_of(("2 " + std::string(unit.spelling)).c_str(), unit.dimension) ==
              2.0 * unit.numerator / unit.denominator);
    }
}
