// SPDX-License-Identifier: Apache-2.0
#include "io/tables/energies_csv.h"

#include <fmt/format.h>

namespace mdsim {

std::vector<EnergyColumn> energy_columns() {
    std::vector<EnergyColumn> columns{{"potential", "kJ/mol"}, {"kinetic", "kJ/mol"}, {"total", "kJ/mol"},
                                      {"conserved", "kJ/mol"}, {"temperature", "K"},  {"pressure", "bar"},
                                      {"volume", "nm^3"},      {"density", "kg/m^3"}};
    constexpr char axes[] = "xyz";
    for (int i = 0; i < 9; ++i) columns.push_back({fmt::format("pressure_{}{}", axes[i / 3], axes[i % 3]), "bar"});
    for (int i = 0; i < 9; ++i) columns.push_back({fmt::format("box_{}{}", "abc"[i / 3], axes[i % 3]), "nm"});
    for (std::size_t t = 0; t < term_count; ++t)
        columns.push_back({std::string(name_of(static_cast<Term>(t))), "kJ/mol"});
    return columns;
}

std::vector<double> energy_values(const EnergyRow& row) {
    std::vector<double> values{row.potential,   row.kinetic,  row.total,  row.conserved,
                               row.temperature, row.pressure, row.volume, row.density};
    for (const Vec3d& v : row.pressure_tensor) values.insert(values.end(), {v.x, v.y, v.z});
    for (const Vec3d& v : row.box) values.insert(values.end(), {v.x, v.y, v.z});
    values.insert(values.end(), row.terms.begin(), row.terms.end());
    return values;
}

std::string energies_csv_header() {
    std::string line = "time [ps],step";
    for (const EnergyColumn& column : energy_columns()) line += fmt::format(",{} [{}]", column.name, column.unit);
    return line;
}

std::string energies_csv_line(const EnergyRow& row) {
    std::string line = fmt::format("{},{}", row.time, row.step);
    for (const double value : energy_values(row)) line += fmt::format(",{}", value);
    return line;
}

}  // namespace mdsim
