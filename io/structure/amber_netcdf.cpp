// SPDX-License-Identifier: Apache-2.0
#include "io/structure/amber_netcdf.h"

#include <cmath>

#include <fmt/format.h>

#include "core/error.h"
#include "io/netcdf/netcdf_file.h"
#include "io/structure/cell.h"

namespace mdsim {

namespace {

constexpr double angstrom = 0.1;  // [nm]

[[noreturn]] void refuse(const Place& place, std::string what) {
    throw_input_error({.code = "MD303", .place = place, .what = std::move(what), .why = {}, .remedy = {}});
}

/// Vectors of a variable, by its scale_factor and by `unit`.
std::vector<Vec3d> read_vectors(const NetcdfFile& netcdf, const Place& place, const std::string& name,
                                std::int64_t count, double unit) {
    const std::vector<double> values = netcdf.values(name);
    if (values.size() != static_cast<std::size_t>(count) * 3) {
        refuse(place, fmt::format("variable {} holds {} values, {} were expected", name, values.size(), count * 3));
    }
    const auto& numbers = netcdf.variable(name).numbers;
    const auto factor = numbers.find("scale_factor");
    if (factor != numbers.end()) unit *= factor->second;
    std::vector<Vec3d> vectors(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        vectors[i] = Vec3d{values[3 * i], values[3 * i + 1], values[3 * i + 2]} * unit;
        if (!std::isfinite(norm2(vectors[i]))) {
            refuse(place, fmt::format("variable {}: the values of atom {} are no finite numbers", name, i + 1));
        }
    }
    return vectors;
}

}  // namespace

Structure read_amber_netcdf_restart(const std::filesystem::path& file, std::int64_t expected_atoms) {
    const NetcdfFile netcdf(file);
    const Place place{file.string(), 0, 0};
    const std::string convention = netcdf.text("Conventions");
    if (convention.find("AMBERRESTART") == std::string::npos) {
        refuse(place,
               convention.find("AMBER") != std::string::npos
                   ? "this is an AMBER trajectory (NetCDF), not a restart"
                   : fmt::format("this NetCDF file is no AMBER restart: its Conventions are \"{}\"", convention));
    }
    const std::int64_t atoms = netcdf.dimension("atom");
    if (atoms < 1) refuse(place, "this AMBER restart has no dimension \"atom\"");
    if (expected_atoms >= 0 && atoms != expected_atoms) {
        refuse(place, fmt::format("{} atoms, but the topology has {}", atoms, expected_atoms));
    }
    Structure structure;
    structure.title = netcdf.text("title");
    if (netcdf.has("time")) structure.time = netcdf.values("time").at(0);
    structure.x = read_vectors(netcdf, place, "coordinates", atoms, angstrom);
    if (netcdf.has("velocities")) structure.v = read_vectors(netcdf, place, "velocities", atoms, angstrom);
    if (netcdf.has("cell_lengths") && netcdf.has("cell_angles")) {
        structure.box = cell_from_angstrom(read_vectors(netcdf, place, "cell_lengths", 1, 1.0)[0],
                                           read_vectors(netcdf, place, "cell_angles", 1, 1.0)[0], place);
    }
    return structure;
}

}  // namespace mdsim
