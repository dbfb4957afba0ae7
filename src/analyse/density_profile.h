// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "analyse/measure.h"

namespace mdsim::analyse {

/// Density in slices of the box parallel to two of its faces, averaged over frames: mass, charge and number of a group.
/// Slices are equal shares of the box, so that they follow it where it changes; the place of a slice is that in the
/// mean box. Every frame needs a box.
class DensityProfile final : public Measure {
  public:
    struct Settings {
        std::string select;
        int axis = 2;  ///< box vector across whose faces: 0, 1, 2 for a, b, c
        std::int64_t bins = 100;
    };
    DensityProfile(const Topology& topology, Settings settings);
    std::vector<std::string> columns() const override;
    void add(const Snapshot& frame, std::vector<Row>& rows) override;
    void finish(std::vector<Row>& rows) override;

  private:
    struct Slice {
        double mass = 0.0, charge = 0.0, number = 0.0;  // sums over frames of density [u/nm^3, e/nm^3, 1/nm^3]
    };
    Settings settings_;
    AtomTable table_;
    Group group_;
    std::vector<Slice> slices_;
    double height_ = 0.0;  // sum over frames [nm]
    std::int64_t frames_ = 0;
};

}  // namespace mdsim::analyse
