// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include "analyse/measure.h"

namespace mdsim::analyse {

/// Number of hydrogen bonds, frame by frame: a hydrogen bonded to nitrogen, oxygen or fluorine D, another such atom A
/// not farther from D than `distance`, and an angle D-H-A of at least `angle` (the criteria of Smith et al., Phys.
/// Chem. Chem. Phys. 21 (2019) 9845, with their defaults). With two groups, those between an atom of one and an atom of
/// the other, whichever of them gives the hydrogen. Each image of an acceptor counts for itself.
class HydrogenBonds final : public Measure {
  public:
    struct Settings {
        std::string select, other;  ///< D in one, A in the other
        double distance = 0.3;      ///< [nm]
        double angle = 150.0;       ///< [degrees]
    };
    HydrogenBonds(const Topology& topology, Settings settings);
    std::vector<std::string> columns() const override { return {"time [ps]", "hydrogen bonds"}; }
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>&) override {}

    /// Hydrogens with a donor: without bonds in the topology there are none.
    std::size_t hydrogens() const { return hydrogens_.size(); }

  private:
    struct Hydrogen {
        std::int64_t donor, atom;
    };
    Settings settings_;
    AtomTable table_;
    Group first_, second_;
    std::vector<Hydrogen> hydrogens_;

    /// Where the two groups are: flags of an atom.
    enum : char { in_first = 1, in_second = 2 };
    std::vector<char> membership(const Snapshot& frame);
};

}  // namespace mdsim::analyse
