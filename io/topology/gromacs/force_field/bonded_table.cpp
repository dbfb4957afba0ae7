// SPDX-License-Identifier: Apache-2.0
#include "io/topology/gromacs/force_field/bonded_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace mdsim::gromacs {

BondedTypes BondedTable::mirrored(const BondedTypes& types) const {
    BondedTypes out = types;
    std::reverse(out.begin(), out.begin() + atoms_);
    return out;
}

void BondedTable::add(const BondedParameters& line, Repeat repeat, Report& report) {
    remembered_.clear();
    const BondedTypes backwards = mirrored(line.types);
    const bool continues = !lines_.empty() && lines_.back().types == line.types;
    BondedParameters* earlier = nullptr;
    std::size_t count = 0;
    for (BondedParameters& other : lines_) {
        if (other.types != line.types && other.types != backwards) continue;
        if (other.values == line.values) return;
        earlier = &other;
        ++count;
    }
    if (earlier == nullptr || (repeat == Repeat::adds && continues)) {
        lines_.push_back(line);
        return;
    }
    if (repeat == Repeat::adds || count > 1) {
        report.add(line.origin, "MD227", "[ dihedraltypes ]: a second block of lines for the same four types",
                   fmt::format("the first ends at {}; the lines of one dihedral must follow each other",
                               report.describe(earlier->origin)),
                   "keep one of the two blocks");
        return;
    }
    earlier->values = line.values;
    earlier->origin = line.origin;
}

std::span<const BondedParameters> BondedTable::find(const BondedTypes& types) const {
    const auto known = remembered_.find(types);
    if (known != remembered_.end()) return known->second;
    const auto found = search(types);
    remembered_.emplace(types, found);
    return found;
}

int BondedTable::agreement(const BondedTypes& line, const BondedTypes& types) const {
    int named = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(atoms_); ++i) {
        if (line[i] < 0) continue;
        if (line[i] != types[i]) return -1;
        ++named;
    }
    return named;
}

std::span<const BondedParameters> BondedTable::search(const BondedTypes& types) const {
    const BondedTypes backwards = mirrored(types);
    int best = -1;
    std::size_t first = 0;
    for (std::size_t i = 0; i < lines_.size() && best < atoms_; ++i) {
        const int named = std::max(agreement(lines_[i].types, types), agreement(lines_[i].types, backwards));
        if (named <= best) continue;
        best = named;
        first = i;
    }
    if (best < 0) return {};
    std::size_t last = first + 1;
    while (last < lines_.size() && lines_[last].types == lines_[first].types) ++last;
    return std::span(lines_).subspan(first, last - first);
}

}  // namespace mdsim::gromacs
