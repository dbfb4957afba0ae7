// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec3.h"
#include "io/output/append_file.h"
#include "system/energies.h"

namespace mdsim {

/// One row of NAME.energies.csv.
struct EnergyRow {
    double time = 0.0;  ///< [ps]
    std::int64_t step = 0;
    double potential = 0.0, kinetic = 0.0, total = 0.0, conserved = 0.0;  ///< [kJ/mol]
    double temperature = 0.0;                                             ///< [K]
    double pressure = 0.0;                                                ///< [bar]
    double volume = 0.0;                                                  ///< [nm^3]
    double density = 0.0;                                                 ///< [kg/m^3]
    Mat3d pressure_tensor{};                                              ///< [bar]
    Mat3d box{};                                                          ///< rows [nm]
    std::array<double, term_count> terms{};                               ///< [kJ/mol]
};

/// What a row has beside time and step, in the order of the table.
struct EnergyColumn {
    std::string name, unit;
};
std::vector<EnergyColumn> energy_columns();
/// Extent: columns.
std::vector<double> energy_values(const EnergyRow& row);

/// First line of the table, with units; no line end.
std::string energies_csv_header();
/// One line, no line end. Numbers are the shortest decimals that read back to the same bits.
std::string energies_csv_line(const EnergyRow& row);

}  // namespace mdsim
