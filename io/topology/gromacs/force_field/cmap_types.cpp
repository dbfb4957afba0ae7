// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/force_field/cmap_types.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "io/topology/gromacs/fields.h"

namespace mdsim::gromacs {

namespace {

constexpr std::size_t atoms = 5, before_energies = atoms + 3;  // atoms, function, points along both angles

std::optional<CmapGrid> read_grid(Fields fields, Origin origin, Report& report) {
    const auto along_first = to_integer(fields[atoms + 1]), along_second = to_integer(fields[atoms + 2]);
    const Fields energies = fields.subspan(before_energies);
    if (!along_first || along_first != along_second || *along_first < 1) {
        report.add(origin, "MD224",
                   fmt::format("[ cmaptypes ]: a grid of {} x {} points", fields[atoms + 1], fields[atoms + 2]),
                   "the grid must have the same number of points, at least one, along both angles");
        return std::nullopt;
    }
    CmapGrid grid{.size = *along_first, .energy = {}};
    const auto points = static_cast<std::size_t>(grid.size) * static_cast<std::size_t>(grid.size);
    if (energies.size() != points) {
        report.add(origin, "MD224",
                   fmt::format("[ cmaptypes ]: {} energies for a grid of {} x {} points", energies.size(), grid.size,
                               grid.size),
                   "", "check that each line but the last one of a grid ends with a backslash");
        return std::nullopt;
    }
    for (const std::string_view field : energies) {
        const auto energy = to_number(field);
        if (!energy) {
            report.add(origin, "MD224", fmt::format("[ cmaptypes ]: \"{}\" is not a number", field));
            return std::nullopt;
        }
        grid.energy.push_back(*energy);
    }
    return grid;
}

}  // namespace

void CmapTypes::read(Fields fields, Origin origin, const std::unordered_map<std::string, int>& bonded_numbers,
                     Report& report) {
    if (fields.size() < before_energies) {
        report.add(origin, "MD224",
                   "[ cmaptypes ]: expected five bonded types, a function number, the points along both angles and the "
                   "energies");
        return;
    }
    if (fields[atoms] != "1") {
        report.add(origin, "MD225", fmt::format("[ cmaptypes ]: unknown function \"{}\"", fields[atoms]));
        return;
    }
    Entry line;
    for (std::size_t k = 0; k < atoms; ++k) {
        const std::string name(fields[k]);
        auto found = bonded_numbers.find(name);
        if (const std::size_t dash = name.rfind('-'); found == bonded_numbers.end() && dash != std::string::npos) {
            found = bonded_numbers.find(name.substr(0, dash));
            line.sites[k].residue = name.substr(dash + 1);
        }
        if (found == bonded_numbers.end()) {
            report.add(origin, "MD226", fmt::format("[ cmaptypes ]: \"{}\" is no bonded type of [ atomtypes ]", name));
            return;
        }
        line.sites[k].bonded = found->second;
    }
    if (auto grid = read_grid(fields, origin, report)) {
        line.grid = std::move(*grid);
        lines_.push_back(std::move(line));
    }
}

int CmapTypes::find(const std::array<CmapAtom, 5>& wanted) const {
    const auto fits = [&](const Entry& line) {
        return std::equal(wanted.begin(), wanted.end(), line.sites.begin(), [](const CmapAtom& atom, const Site& site) {
            return atom.bonded == site.bonded && (site.residue == "*" || site.residue == atom.residue);
        });
    };
    const auto found = std::find_if(lines_.begin(), lines_.end(), fits);
    return found == lines_.end() ? -1 : static_cast<int>(found - lines_.begin());
}

}  // namespace mdsim::gromacs
