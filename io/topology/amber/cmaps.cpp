// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "io/topology/amber/terms.h"

namespace mdsim::amber {

namespace {

constexpr int columns = 6;        // of a term: five atoms from 1, the map from 1
constexpr int most_points = 180;  // of a map, along an angle
constexpr int most_maps = 99;     // the names of their sections end in two digits

std::vector<CmapGrid> read_grids(const PrmtopFile& file, const std::string& prefix, int maps) {
    if (maps < 0 || maps > most_maps) {
        file.refuse(file.place(prefix + "_COUNT", 1), fmt::format("section %FLAG {}_COUNT: {} maps", prefix, maps));
    }
    const std::vector<int> sizes = file.integers(prefix + "_RESOLUTION", maps);
    std::vector<CmapGrid> grids;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
        const int size = sizes[n];
        if (size < 4 || size > most_points) {
            file.refuse(file.place(prefix + "_RESOLUTION", static_cast<std::int64_t>(n)),
                        fmt::format("{} points along an angle of a map", size));
        }
        CmapGrid grid{size, file.reals(fmt::format("{}_PARAMETER_{:02}", prefix, n + 1), std::int64_t{size} * size)};
        for (double& energy : grid.energy) energy *= units::kcal;
        grids.push_back(std::move(grid));
    }
    return grids;
}

void read_terms(const PrmtopFile& file, const std::string& prefix, std::int64_t count, int first_grid, int maps,
                MoleculeType& whole) {
    const std::string section = prefix + "_INDEX";
    const std::vector<int> values = file.integers(section, count * columns);
    for (std::size_t at = 0; at < values.size(); at += columns) {
        for (std::size_t column = 0; column < columns; ++column) {
            const int most = column + 1 < columns ? whole.size() : maps;
            const int value = values[at + column];
            if (value >= 1 && value <= most) continue;
            file.refuse(
                file.place(section, static_cast<std::int64_t>(at + column)),
                fmt::format("section %FLAG {}: {} names no {}", section, value, column + 1 < columns ? "atom" : "map"));
        }
        const int* v = &values[at];
        whole.cmaps.push_back(Cmap::of_five(v[0] - 1, v[1] - 1, v[2] - 1, v[3] - 1, v[4] - 1, first_grid + v[5] - 1));
    }
}

}  // namespace

// "Amber file formats", and ParmEd for chamber's names. The maps begin at -180 degrees, the second angle runs fastest.
void read_cmaps(const PrmtopFile& file, MoleculeType& whole, ForceField& force_field) {
    for (const std::string prefix : {"CHARMM_CMAP", "CMAP"}) {
        if (!file.has(prefix + "_COUNT")) {
            if (file.has(prefix + "_INDEX")) file.require(prefix + "_COUNT");
            continue;
        }
        const std::vector<int> counts = file.integers(prefix + "_COUNT", 2);
        if (counts[0] < 0) file.refuse(file.place(prefix + "_COUNT", 0), "a count that is negative");
        std::vector<CmapGrid> grids = read_grids(file, prefix, counts[1]);
        const int first = static_cast<int>(force_field.cmap_grids.size());
        for (CmapGrid& grid : grids) force_field.cmap_grids.push_back(std::move(grid));
        read_terms(file, prefix, counts[0], first, counts[1], whole);
    }
}

}  // namespace mdsim::amber
