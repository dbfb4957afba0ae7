// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec3.h"
#include "io/output/append_file.h"
#include "system/energies.h"
#include "system/restraints/restraint_value.h"

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
    std::vector<RestraintValue> restraints;                               ///< of the stage
};

/// What a row has beside time and step, in the order of the table.
struct EnergyColumn {
    std::string name, unit;
};
std::vector<EnergyColumn> energy_columns();
/// Extent: columns.
std::vector<double> energy_values(const EnergyRow& row);

/// A restraint that has two columns at the end of the table: restraint_NAME_value and restraint_NAME, its energy.
struct RestraintColumn {
    std::string name, unit;  ///< of the value
    friend bool operator==(const RestraintColumn&, const RestraintColumn&) = default;
};
/// First line of the table, with units; no line end.
std::string energies_csv_header(std::span<const RestraintColumn> restraints);
/// The restraints that such a line has columns for.
std::vector<RestraintColumn> restraint_columns(std::string_view header);
/// One line, no line end. Numbers are the shortest decimals that read back to the same bits; `nan` where a restraint
/// does not act in this stage.
std::string energies_csv_line(const EnergyRow& row, std::span<const RestraintColumn> restraints);

}  // namespace mdsim
