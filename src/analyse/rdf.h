// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyse/measure.h"

namespace mdsim::analyse {

enum class SameMolecule { counts, is_left_out };

/// Radial distribution function g(r) of pairs of one atom of each of two groups, and the running coordination number:
/// how many atoms of the second one has within r, on average. Distances are to all images within the range. Each frame
/// is compared with an ideal gas of its own volume, so that g is right where the box changes; pairs of an atom with
/// itself, and of atoms of one molecule where these are left out, are not in the ideal gas either. Every frame needs a
/// box.
class Rdf final : public Measure {
  public:
    struct Settings {
        std::string select, other;  ///< the two groups
        double range = 1.0;         ///< [nm]
        std::int64_t bins = 200;
        SameMolecule same_molecule = SameMolecule::counts;
    };
    Rdf(const Topology& topology, Settings settings);
    std::vector<std::string> columns() const override { return {"r [nm]", "g", "coordination"}; }
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>& rows) override;

  private:
    using Counts = std::vector<std::int64_t>;
    Settings settings_;
    AtomTable table_;
    Group first_, second_;
    Counts counts_;              // by bin, over all frames
    double pair_density_ = 0.0;  // sum over frames of pairs / volume [1/nm^3]
    std::int64_t centres_ = 0;   // sum over frames of the atoms of the first group

    double allowed_pairs(const std::vector<std::int64_t>& first, const std::vector<std::int64_t>& second) const;
};

}  // namespace mdsim::analyse
