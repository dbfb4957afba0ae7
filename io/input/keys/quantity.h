// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mdsim::inp {

/// The parts with `separator` between them. (fmt::join makes GCC 12 warn of an overflow that is none.)
template <class Parts>
std::string join(const Parts& parts, std::string_view separator) {
    std::string text;
    bool first = true;
    for (const auto& part : parts) {
        if (!first) text += separator;
        text += std::string_view(part);
        first = false;
    }
    return text;
}

/// What kind of thing a quantity measures. Internal unit of each in brackets.
enum class Dimension {
    none,
    length,            ///< [nm]
    angle,             ///< [deg]
    time,              ///< [ps]
    wall_time,         ///< [s]
    mass,              ///< [u]
    temperature,       ///< [K]
    pressure,          ///< [bar]
    energy,            ///< [kJ/mol]
    force,             ///< [kJ/mol/nm]
    spring,            ///< [kJ/mol/nm^2]
    angular_spring,    ///< [kJ/mol/rad^2]
    charge,            ///< [e]
    electric_field,    ///< [V/nm]
    inverse_length,    ///< [/nm]
    inverse_time,      ///< [/ps]
    compressibility,   ///< [/bar]
    coulomb_constant,  ///< [kJ nm/mol/e^2]
    steps,             ///< whole steps
};

/// One spelling of a unit: value * numerator / denominator is in the internal unit. Two numbers, so that 12 A is
/// 1.2 nm to the last bit.
struct Unit {
    Dimension dimension;
    std::string_view spelling;
    double numerator = 1.0;
    double denominator = 1.0;
};

/// All spellings; the first of each dimension is the internal unit.
const std::vector<Unit>& all_units();
std::string_view internal_unit(Dimension dimension);
std::string_view name_of(Dimension dimension);
/// "nm, A or um".
std::string units_of(Dimension dimension);

/// What is wrong with the text of a quantity.
struct QuantityFault {
    std::string what;        ///< "0.9 has no unit"
    std::string suggestion;  ///< "0.9 nm", or empty
    bool unit = true;        ///< the unit is at fault, not the number
};

/// A finite number and what follows it, blanks cut; nothing where text does not begin with a number.
struct NumberAndRest {
    double number;
    std::string_view rest;
};
std::optional<NumberAndRest> split_number(std::string_view text);

/// "0.9 nm", "9 A", "1e-3 nm" in internal units. `customary` is the unit to suggest where there is none.
std::optional<double> parse_quantity(std::string_view text, Dimension dimension, std::string_view customary,
                                     QuantityFault& fault);

/// The unit with this spelling, blanks normalised; null where it is unknown for the dimension.
const Unit* find_unit(std::string_view spelling, Dimension dimension);

}  // namespace mdsim::inp
