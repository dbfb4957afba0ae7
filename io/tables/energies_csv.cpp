// SPDX-License-Identifier: Apache-2.0
#include "io/tables/energies_csv.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim {

namespace {
constexpr std::string_view restraint_prefix = "restraint_", value_suffix = "_value";
}  // namespace

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

std::string energies_csv_header(std::span<const RestraintColumn> restraints) {
    std::string line = "time [ps],step";
    for (const EnergyColumn& column : energy_columns()) line += fmt::format(",{} [{}]", column.name, column.unit);
    for (const RestraintColumn& r : restraints)
        line += fmt::format(",{0}{1}{2} [{3}],{0}{1} [kJ/mol]", restraint_prefix, r.name, value_suffix, r.unit);
    return line;
}

std::vector<RestraintColumn> restraint_columns(std::string_view header) {
    std::vector<RestraintColumn> restraints;
    while (!header.empty()) {
        const std::size_t comma = std::min(header.find(','), header.size());
        const std::string_view column = header.substr(0, comma);
        header.remove_prefix(std::min(comma + 1, header.size()));
        const std::string end = std::string(value_suffix) + " [";
        const std::size_t at = column.rfind(end);
        if (!column.starts_with(restraint_prefix) || at == std::string_view::npos) continue;
        const std::string_view name = column.substr(restraint_prefix.size(), at - restraint_prefix.size());
        const std::string_view unit = column.substr(at + end.size(), column.size() - at - end.size() - 1);
        restraints.push_back({std::string(name), std::string(unit)});
    }
    return restraints;
}

std::string energies_csv_line(const EnergyRow& row, std::span<const RestraintColumn> restraints) {
    std::string line = fmt::format("{},{}", row.time, row.step);
    for (const double value : energy_values(row)) line += fmt::format(",{}", value);
    for (const RestraintColumn& column : restraints) {
        const auto found = std::ranges::find(row.restraints, column.name, &RestraintValue::name);
        const bool acts = found != row.restraints.end();
        line += acts ? fmt::format(",{},{}", found->value, found->energy) : ",nan,nan";
    }
    return line;
}

}  // namespace mdsim
