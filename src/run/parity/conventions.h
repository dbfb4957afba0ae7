// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "system/energies.h"

namespace mdsim::parity {

/// Whose names, grouping, units and Coulomb constant energies are given in.
enum class Convention { amber, gromacs, charmm, openmm };
inline constexpr std::array all_conventions{Convention::amber, Convention::gromacs, Convention::charmm,
                                            Convention::openmm};

/// One line of an engine's output: its name there, and mdsim's terms that are in it.
struct Row {
    std::string name;
    std::vector<std::string> terms;  ///< names of name_of(Term)
};

/// How an engine prints energies. Sources: docs/parity.md.
struct Format {
    std::string engine;             ///< "AMBER"
    std::string key;                ///< of JSON: "amber"
    std::string unit;               ///< "kcal/mol"
    double unit_in_kj = 1.0;        ///< [kJ/mol]
    double coulomb_constant = 0.0;  ///< of the engine [kJ nm/mol/e^2]
    std::string total;              ///< its name of the potential energy
    std::vector<Row> rows;
};
const Format& format_of(Convention convention);

struct Value {
    std::string name;
    double value = 0.0;  ///< [unit of the format]
};

/// Energies as an engine would print them, the sum of all in the last place: Coulomb terms by its own constant in place
/// of the one they were computed with [kJ nm/mol/e^2]. A term that the engine has no name for stands under mdsim's, so
/// that nothing is left out.
std::vector<Value> in_format(const Format& format, const EnergySums& sums, double coulomb_constant);

}  // namespace mdsim::parity
