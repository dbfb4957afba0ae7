// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <span>
#include <vector>

#include "io/topology/gromacs/force_field/parameters.h"
#include "io/topology/gromacs/report.h"

namespace mdsim::gromacs {

/// Numbers of bonded types; -1 is the wild card X, and what stands behind the last of a line with fewer than four.
using BondedTypes = std::array<int, 4>;

/// One line of a type table.
struct BondedParameters {
    BondedTypes types{-1, -1, -1, -1};
    Values values{};
    Origin origin;
};

/// All lines for one kind of term, in the order of the file.
class BondedTable {
  public:
    explicit BondedTable(int atoms = 2) : atoms_(atoms) {}

    /// Whether a line of the same types may stand beside others (function 9).
    enum class Repeat { replaces, adds };
    /// A line for types that have one already takes its place, as in GROMACS; with Repeat::adds lines that follow each
    /// other make up one dihedral, and a second such block is reported.
    void add(const BondedParameters& line, Repeat repeat, Report& report);

    /// The line for these types, forwards or backwards, with those that follow it for the same types. Of several lines
    /// with wild cards the one with most types named counts, then the first. Empty where there is none.
    std::span<const BondedParameters> find(const BondedTypes& types) const;

  private:
    BondedTypes mirrored(const BondedTypes& types) const;
    std::span<const BondedParameters> search(const BondedTypes& types) const;
    /// Number of types that agree without wild card; -1 where the line does not fit.
    int agreement(const BondedTypes& line, const BondedTypes& types) const;

    int atoms_;
    std::vector<BondedParameters> lines_;
    mutable std::map<BondedTypes, std::span<const BondedParameters>> remembered_;  // answers of find()
};

}  // namespace mdsim::gromacs
