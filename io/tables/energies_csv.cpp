// SPDX-License-Identifier: Apache-2.0
#include "io/tables/energies_csv.h"

#include <fmt/format.h>

namespace mdsim {

std::string energies_csv_header() {
    std::string line =
        "time [ps],step,potential [kJ/mol],kinetic [kJ/mol],total [kJ/mol],conserved [kJ/mol],temperature [K],"
        "pressure [bar],volume [nm^3],density [kg/m^3]";
    constexpr char axes[] = "xyz";
    for (int i = 0; i < 9; ++i) line += fmt::format(",pressure_{}{} [bar]", axes[i / 3], axes[i % 3]);
    for (int i = 0; i < 9; ++i) line += fmt::format(",box_{}{} [nm]", "abc"[i / 3], axes[i % 3]);
    for (std::size_t t = 0; t < term_count; ++t) line += fmt::format(",{} [kJ/mol]", name_of(static_cast<Term>(t)));
    return line;
}

std::string energies_csv_line(const EnergyRow& row) {
    std::string line = fmt::format("{},{},{},{},{},{},{},{},{},{}", row.time, row.step, row.potential, row.kinetic,
                                   row.total, row.conserved, row.temperature, row.pressure, row.volume, row.density);
    for (const Vec3d& v : row.pressure_tensor) line += fmt::format(",{},{},{}", v.x, v.y, v.z);
    for (const Vec3d& v : row.box) line += fmt::format(",{},{},{}", v.x, v.y, v.z);
    for (const double term : row.terms) line += fmt::format(",{}", term);
    return line;
}

}  // namespace mdsim
