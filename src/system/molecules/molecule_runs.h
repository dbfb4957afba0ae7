// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "system/molecules/molecule_index.h"

namespace mdsim {

/// The atoms of one molecule in a list of ascending global numbers: places begin, begin + 1, ... before end.
struct MoleculeRun {
    const MoleculeType* type;
    std::int64_t molecule;    ///< number of the molecule
    std::int64_t first_atom;  ///< global number of the molecule's first atom
    std::size_t begin, end;

    /// The list has all atoms of the molecule.
    bool whole() const { return end - begin == static_cast<std::size_t>(type->size()); }
};

/// The run that begins at place `begin` of the list.
inline MoleculeRun molecule_run(const MoleculeIndex& index, std::span<const std::int64_t> ids, std::size_t begin) {
    const AtomPlace place = index.place(ids[begin]);
    const auto rest = static_cast<std::size_t>(place.type->size() - place.atom);
    const std::size_t limit = std::min(ids.size(), begin + rest);
    const std::int64_t next_molecule = place.first_atom + place.type->size();
    std::size_t end = limit;
    if (ids[limit - 1] >= next_molecule) {
        const auto at = [&](std::size_t i) { return ids.begin() + static_cast<std::ptrdiff_t>(i); };
        end = static_cast<std::size_t>(std::lower_bound(at(begin), at(limit), next_molecule) - ids.begin());
    }
    return {place.type, place.molecule, place.first_atom, begin, end};
}

/// Calls f(MoleculeRun) for every run that begins at one of the places begin, ..., end - 1, in order. Ranges that
/// follow each other give every run once.
template <class F>
void for_each_molecule_run(const MoleculeIndex& index, std::span<const std::int64_t> ids, std::size_t begin,
                           std::size_t end, F&& f) {
    for (std::size_t i = begin; i < end;) {
        const MoleculeRun run = molecule_run(index, ids, i);
        const bool begun_before = i == begin && i > 0 && ids[i - 1] >= run.first_atom;
        if (!begun_before) f(run);
        i = run.end;
    }
}

}  // namespace mdsim
